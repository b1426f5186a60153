"""Every figure of a run in a zip that needs no network: one page to look at and turn, and drawings as SVG. No Streamlit."""

import re
import zipfile
from html import escape
from io import BytesIO

import numpy as np

from leasc_core.runs.folder import RunFolder
from leasc_ui.charts.cluster.map import solid_map
from leasc_ui.frame.theme import CLUSTERS, POSITIVE
from leasc_ui.results.results import KINDS, confusion

SECTION = re.compile(r'<section id="(\w+)".*?</section>', re.DOTALL)
DRAWING = re.compile(r"<svg .*?</svg>", re.DOTALL)
CAMERA = {"toImageButtonOptions": {"format": "svg", "scale": 1}, "displaylogo": False, "displayModeBar": True, "responsive": True}


def figures_zip(results, names, truth=None, classes=None):
    """``figures.html`` and the drawings of the report as SVG files."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("figures.html", figures_html(results, names, truth, classes))
        for name, drawing in drawings(RunFolder(results.folder).report_file.read_text("utf-8")):
            archive.writestr(f"{name}.svg", drawing)
    return stream.getvalue()


def figures_html(results, names, truth=None, classes=None):
    """All figures on one page, each with a camera that saves it as SVG."""
    return figures_page(f"{results.data.name}: {results.count} clusters", list(_figures(results, names, truth, classes)))


def figures_page(title, figures):
    """``(title, Plotly figure)`` on one page that needs no network."""
    parts = [
        f"<h2>{escape(heading)}</h2>" + figure.to_html(full_html=False, include_plotlyjs=number == 0, config=CAMERA)
        for number, (heading, figure) in enumerate(figures)
    ]
    title = escape(title)
    style = "body{font:16px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1D2430}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
        f"<body><h1>{title}</h1><p>The camera above a figure saves it as SVG.</p>{''.join(parts)}</body></html>"
    )


def drawings(report):
    """``(name, SVG)`` of every drawing in a run's report, each complete in itself."""
    from leasc_core.drawing.picture import complete

    for section in SECTION.finditer(report):
        found = DRAWING.findall(section.group(0))
        for number, drawing in enumerate(found):
            yield section.group(1) + (f"-{number + 1}" if len(found) > 1 else ""), complete(drawing)


def _figures(results, names, truth, classes):
    import plotly.graph_objects as go

    for kind in KINDS:
        if kind == "umap" and not results.layout_ready():
            continue
        places = results.places(kind)
        labels = results.drawn_labels[places.at]
        yield f"{KINDS[kind]}, in the plane", _flat(places, labels, names)
        if places.places.shape[1] > 2 and (kind != "pca" or results.data.points.shape[1] > 2):
            yield f"{KINDS[kind]}, in space", solid_map(places.places, labels, names, places.axes)
    shades = [CLUSTERS[at % len(CLUSTERS)][0] for at in range(results.count)]
    yield "Sizes", titled(go.Figure(go.Bar(x=names, y=results.sizes, marker={"color": shades})), "cluster", "points")
    values = results.model.eigenvalues_
    spectrum = go.Figure(go.Scatter(x=np.arange(1, len(values) + 1), y=values, mode="markers"))
    spectrum.add_vline(results.count + 0.5, line={"dash": "dash", "color": "#D7261E"})
    yield "Spectrum", titled(spectrum, "number of the eigenvalue", "eigenvalue σ²")
    codes, points, helpers, _ = results.code_sample
    picture = np.abs(codes)[np.ix_(np.argsort(points, kind="stable"), np.argsort(helpers, kind="stable"))].T
    scale = [[0, "#FFFFFF"], [1, POSITIVE]]
    yield (
        "Sizes of codes, sorted by cluster",
        titled(go.Figure(go.Heatmap(z=picture, colorscale=scale)), "point", "representative"),
    )
    if truth is not None:
        table, order = confusion(truth, results.labels)
        heat = go.Heatmap(z=table[:, order], x=[names[at] for at in order], y=list(classes), colorscale=scale)
        yield "Against the known classes", titled(go.Figure(heat), "found cluster", "known class")


def _flat(places, labels, names):
    import plotly.graph_objects as go

    shades = np.array([pair[0] for pair in CLUSTERS])[labels % len(CLUSTERS)]
    marks = go.Scattergl(
        x=places.places[:, 0],
        y=places.places[:, 1],
        mode="markers",
        text=np.array(names)[labels],
        hovertemplate="%{text}<extra></extra>",
        marker={"size": 5, "color": shades, "opacity": 0.8},
    )
    return titled(go.Figure(marks), *places.axes[:2])


def titled(figure, across, down):
    """A figure with its axes named."""
    figure.update_layout(xaxis_title=across, yaxis_title=down, height=480, margin={"l": 60, "r": 20, "t": 20, "b": 60})
    return figure
