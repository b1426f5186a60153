"""What a notebook shows of a fitted model and of a proposal."""

from html import escape

import numpy as np

from ..evidence.count import FOUND_BY
from .charts import size_bars
from .picture import card

MOST_BARS, MOST_ROWS = 60, 8


def verdict_html(verdict):
    """The mark, the sentence, what drags it down and what to do."""
    more = "".join(f"<li>{escape(reason)}</li>" for reason in verdict.reasons)
    remedies = "".join(f"<li>Try: {escape(_remedy(each))}</li>" for each in verdict.remedies)
    return f'<p><b class="mark">{escape(verdict.mark)}</b> {escape(verdict.sentence)}</p><ul>{more}{remedies}</ul>'


def _remedy(remedy):
    given = ", ".join(f"{name} {value}" for name, value in remedy.items() if name not in ("action", "by"))
    return f"{remedy['action'].replace('_', ' ')} {given}".strip()


def model_card(model):
    """A fitted clustering: how many clusters and by what, their sizes, the verdict where there is one, what it was made with."""
    sizes, features = np.bincount(model.labels_).tolist(), model.n_features_in_
    how = FOUND_BY[getattr(model, "counted_by_", None)]
    head = (
        f"<p><b>{model.n_clusters_:,} clusters</b> in {len(model.labels_):,} points of {features:,} features, {escape(how)}.</p>"
    )
    rows = {
        "preparation": getattr(model.preparation_, "name", None) or ("as given" if model.preprocess_ is not None else "none"),
        "graph": model.affinity_,
        "representatives": f"{len(model.representatives_):,}",
    }
    table = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    verdict = verdict_html(model.verdict_) if hasattr(model, "verdict_") else ""
    bars = size_bars(sizes[:MOST_BARS])
    return card(f"{head}{verdict}<table>{table}</table>{bars}")


def table_card(sentence, rows, columns):
    """A sentence and the first rows of a table of evidence; ``columns`` maps the keys of a row to headings."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns.values())
    body = "".join(f"<tr>{''.join(f'<td>{_value(row[key])}</td>' for key in columns)}</tr>" for row in rows[:MOST_ROWS])
    left = f'<p class="say">{len(rows) - MOST_ROWS} more</p>' if len(rows) > MOST_ROWS else ""
    return card(f"<p>{escape(sentence)}</p><table><tr>{head}</tr>{body}</table>{left}")


def _value(value):
    return f"{value:.3g}" if isinstance(value, float) else escape(str(value))
