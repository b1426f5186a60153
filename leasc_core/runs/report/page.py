"""``report.html``: what a run found, on one page that needs nothing else: no script, no network, light and dark."""

from html import escape
from pathlib import Path

from ...drawing import charts
from ...drawing.sample import take_sample
from ...drawing.style import style_sheet
from ...evidence.count import FOUND_BY
from ...spectral.embedding import eigengap
from ...storage.files import replacing
from ..budget import readable_bytes, readable_seconds
from .history import coding_history, network_history, sessions, stage_seconds
from .recipe import command_line, predict_line, python_lines

MOST_BARS = 120


def write_report(path, model, source, summary, config, events):
    """Write the page; all of it or nothing."""
    page = report_page(Path(path).parent, model, source, summary, config, events)
    with replacing(path) as file:
        file.write(page.encode())


def report_page(folder, model, source, summary, config, events):
    """The page as text."""
    sample = take_sample(model, source)
    sections = [
        _sizes(summary),
        _spectrum(model, config),
        _embedding(sample, summary),
        _codes(sample, model, summary),
        _convergence(model, events),
        _times(summary, events),
        _data(source, config),
        _parameters(model, config),
        _recipe(folder, config),
    ]
    name = escape(source.name)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{name}: {summary['n_clusters']} clusters</title><style>{style_sheet()}</style></head><body><main>"
        f'<h1>{name}</h1><p class="muted">{_headline(summary, config)}</p>{_facts(summary)}'
        f'<div class="grid">{"".join(sections)}</div>{_footer(config)}</main></body></html>\n'
    )


def _headline(summary, config):
    found = FOUND_BY[summary.get("counted_by")]
    sign = "a point and its mirror image count as the same" if summary["sign_ignored"] else "the sign of a code counts"
    return f"{summary['n_clusters']:,} clusters, {found}; {sign}."


def _facts(summary):
    facts = [
        (f"{summary['n_clusters']:,}", "clusters"),
        (f"{summary['points']:,}", "points"),
        (f"{summary['features']:,}", "features"),
        (readable_seconds(summary["seconds"], measured=True), "in all"),
        (f"{summary['passes']:.2f}", "passes"),
    ]
    cards = "".join(f'<div class="fact"><b>{escape(value)}</b><span>{escape(name)}</span></div>' for value, name in facts)
    if not summary.get("scores"):
        return f'<div class="facts">{cards}</div>'
    named = {"acc": "ACC, accuracy", "nmi": "NMI", "ari": "ARI"}
    for key, value in summary["scores"].items():
        cards += f'<div class="fact"><b>{100 * value:.1f} %</b><span>{escape(named.get(key, key))}</span></div>'
    return (
        f'<div class="facts">{cards}</div><p class="say">Scores compare with the labels that came with the data; those were '
        "used for nothing else.</p>"
    )


def _sizes(summary):
    sizes = summary["sizes"]
    shown = sizes[:MOST_BARS]
    words = f"From {min(sizes):,} to {max(sizes):,} points." if sizes else ""
    if len(sizes) > MOST_BARS:
        words += f" Showing {MOST_BARS} of {len(sizes):,} clusters."
    return _section("sizes", "Cluster sizes", words, charts.size_bars(shown))


def _spectrum(model, config):
    k, values = int(model.n_clusters_), model.eigenvalues_
    words, name = "Eigenvalues near 1 are clusters; the largest relative gap behind them says how many.", f"the gap behind {k}"
    if config["parameters"].get("n_clusters") is not None:
        words = (
            f"Eigenvalues near 1 are clusters. {k} were asked for; the largest relative gap here is behind {eigengap(values)}."
        )
        name = f"k = {k}, as asked"
    return _section("spectrum", "Spectrum", words, charts.spectrum(values, k, name))


def _embedding(sample, summary):
    names = [f"axis {at + 1}, {share:.0%} of the variance" for at, share in enumerate(sample.shares)]
    pictures = charts.scattered(sample.places, sample.labels, names) + charts.wheel(sample.between, sample.labels, sample.circle)
    words = (
        f"Showing {len(sample.rows):,} of {summary['points']:,} points. Left: by two principal axes of the spectral embedding; "
        "clusters that lie on one another there may be apart along other axes. Right: between the clusters, by the cosines with "
        "their centres; at the rim a point belongs to one cluster alone, inside it is in doubt."
    )
    return _section("embedding", "Spectral embedding", words, f'<div class="pair">{pictures}</div>', wide=True)


def _codes(sample, model, summary):
    words = (
        f"|f(y)| of {len(sample.rows):,} of {summary['points']:,} points (rows) over {len(model.representatives_):,} "
        "representatives (columns), both sorted by cluster: where the method works, points use the representatives of their own "
        "cluster and blocks stand out."
    )
    picture = charts.code_matrix(sample.strengths, sample.row_labels, sample.column_labels)
    return _section("codes", "Codes", words, picture, wide=True)


def _convergence(model, events):
    coding, network = coding_history(events), network_history(events)
    words, picture = f"The codes of variant {escape(model.variant)} have a closed form: no iterations.", ""
    if coding:
        measure = "gap" if coding[-1].get("gap") is not None else "residual"
        name = {"gap": "relative duality gap", "residual": "residual"}[measure]
        objective = [each["objective"] for each in coding]
        lines = [
            (name, [each[measure] for each in coding]),
            ("objective, relative", [v / objective[-1] for v in objective] if objective[-1] else objective),
        ]
        words = f"{coding[-1]['iteration']} iterations of the coding solver."
        picture = charts.curves([each["iteration"] for each in coding], lines, "iteration")
    elif len(network) > 1:
        words += " What follows is the network's error, while it learns them, on representatives it was taught and on others."
        lines = [("held out", [e["held_out_error"] for e in network]), ("taught", [e["training_error"] for e in network])]
        picture = charts.curves([each["epoch"] for each in network], lines, "epoch")
    return _section("convergence", "Convergence", words, picture)


def _times(summary, events):
    count, last = sessions(events), readable_seconds(summary["seconds"], measured=True)
    words = f"{last} in all." if count <= 1 else f"Done in {count} sittings; the last took {last}."
    return _section("times", "Time by stage", words, charts.stage_bars(stage_seconds(events)))


def _parameters(model, config):
    given = config["parameters"]
    rows = []
    for name, value in model.get_params(deep=False).items():
        if name not in ("on_event", "preprocess"):
            rows.append((name, value, name not in given))
    cleaning = model.preprocess_.sentences() if model.preprocess_ is not None else ["none"]
    rows.append(("preprocess", "; ".join(cleaning), model.preprocess_ is None))
    rows.sort(key=lambda row: row[2])
    cells = "".join(
        f"<div{' class=default' if default else ''}><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value, default in rows
    )
    words = "What was chosen stands first; the rest are defaults."
    return _section("parameters", "Parameters", words, f"<dl>{cells}</dl>", wide=True)


def _data(source, config):
    data, need = config["data"], config["need"]
    names = ", ".join(map(str, (source.feature_names or [])[:8])) + (" …" if len(source.feature_names or []) > 8 else "")
    facts = {
        "path": data["path"],
        "shape": f"{data['shape'][0]:,} × {data['shape'][1]:,}, {data['dtype']}",
        "fingerprint": data["fingerprint"],
        "reading": ", ".join(f"{name}={value}" for name, value in data["options"].items()) or "as the file says",
        "features": names,
        "labels": "none" if source.labels is None else "in the file, used for the scores alone",
        "foreseen": f"{readable_seconds(need['seconds'])}, {readable_bytes(need['memory'])} of memory, "
        f"{readable_bytes(need['disk'])} of disk",
    }
    cells = "".join(f"<tr><th>{escape(n)}</th><td>{escape(str(v))}</td></tr>" for n, v in facts.items() if v)
    return _section("data", "Data", "", f"<table>{cells}</table>", wide=True)


def _recipe(folder, config):
    body = (
        f"<pre>{escape(command_line(config))}</pre><p>or in Python</p><pre>{escape(python_lines(config))}</pre>"
        f"<p>New points, by the model of this run</p><pre>{escape(predict_line(folder))}</pre>"
    )
    words = "The same data, parameters and seed give the same labels."
    return _section("reproduce", "Do it again", words, body, wide=True)


def _footer(config):
    return f"<footer>LeaSC {escape(config['program'])}, begun {escape(config['created'])}</footer>"


def _section(name, title, words, body, wide=False):
    """``words`` and ``body`` are HTML already."""
    said = f'<p class="say">{words}</p>' if words else ""
    return f'<section id="{name}"{" class=wide" if wide else ""}><h2>{escape(title)}</h2>{said}{body}</section>'
