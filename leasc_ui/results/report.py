"""The workbench in a run's report: the table of clusters, the edits, the notes. No Streamlit in here."""

from html import escape

from leasc_core.workbench.history import in_words
from leasc_core.workbench.told import amount

PERCENT = ("share", "confidence")


def report_section(profile) -> str:
    """A section of HTML for the report; texts from data stay texts."""
    results, rows = profile.results, profile.table
    head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{_cell(name, value)}</td>" for name, value in row.items()) + "</tr>" for row in rows)
    parts = [
        '<section id="clusters" class=wide><h2>The clusters, side by side</h2><p class="say">High and low are means in the '
        "columns’ own units, told from half a standard deviation on.</p>"
        f'<div style="overflow-x:auto"><table><tr>{head}</tr>{body}</table></div>'
    ]
    history = getattr(results, "history", None)
    if history is not None:
        words = in_words(history.steps, results.base.labels, results.base.count)
        parts.append("<h2>Edits</h2><ol>" + "".join(f"<li>{escape(each)}</li>" for each in words) + "</ol>")
        notes = [(results.state.title(each) if each is not None else "", text) for each, text in results.state.notes.items()]
        parts += [f"<p><b>{escape(name)}</b> {escape(text)}</p>" for name, text in notes]
        parts.append('<p class="say">The figures below are those of the run, before the edits.</p>')
    return "".join([*parts, "</section>"])


def _cell(name, value):
    if value is None:
        return ""
    if name in PERCENT:
        return f"{100 * value:.1f} %"
    return escape(value) if isinstance(value, str) else amount(value)
