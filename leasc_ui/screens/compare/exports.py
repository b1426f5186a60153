"""What a visitor takes away from a comparison or a sweep, as bytes: rows, a table for a paper, figures. No Streamlit in here."""

from io import BytesIO

import numpy as np

from leasc_core.bench.picture import CodePicture
from leasc_core.data.writers import neutral
from leasc_ui.export.figures import figures_page, titled
from leasc_ui.frame.theme import CLUSTERS, POSITIVE

# Where labels and pictures lie on the server means nothing elsewhere.
KEPT_FILES = ("labels_file", "codes_file")
SCALE = [[0, "#FFFFFF"], [1, POSITIVE]]


def frame_csv(frame):
    """A frame as CSV; no cell is taken for a formula, numbers stay numbers."""
    frame = frame.drop(columns=[name for name in KEPT_FILES if name in frame])
    for name in frame.select_dtypes(exclude="number").columns:
        frame[name] = [neutral(value) if isinstance(value, str) else value for value in frame[name]]
    return frame.to_csv(index=False).encode()


def frame_parquet(frame):
    """The same as Parquet, text as it is."""
    stream = BytesIO()
    frame.drop(columns=[name for name in KEPT_FILES if name in frame]).to_parquet(stream, index=False)
    return stream.getvalue()


def comparison_figures(comparison):
    """Good against fast, and every code matrix, on one page that needs no network."""
    figures = [("Good against fast", _scatter(comparison))]
    for row in comparison.table.rows:
        if "codes_file" in row:
            picture = CodePicture.load(comparison.folder / row["codes_file"])
            points, helpers = picture.count
            figures.append((f"Codes of {row['label']}: {helpers:,} rows for {points:,} points", _matrix(picture)))
    return figures_page(f"{comparison.story.title}: {len(comparison.methods)} methods", figures).encode()


def sweep_figures(grid, title, measures):
    """A heatmap for every measure that is known."""
    import plotly.graph_objects as go

    (down, downs), *rest = grid.axes.items()
    across, acrosses = rest[0] if rest else ("", [""])
    figures = []
    for measure, words in measures.items():
        matrix = grid.matrix(measure)
        if np.isfinite(matrix).any():
            heat = go.Heatmap(z=matrix, x=list(map(str, acrosses)), y=list(map(str, downs)), colorscale="Viridis")
            figures.append((words, titled(go.Figure(heat), across, down)))
    return figures_page(title, figures).encode()


def _scatter(comparison):
    import plotly.graph_objects as go

    from leasc_core.baselines import FAMILIES

    marks = []
    for at, (family, title) in enumerate(FAMILIES.items()):
        lines = [line for line in comparison.lines.values() if line["family"] == family and comparison.score in line]
        if lines:
            marks.append(
                go.Scatter(
                    x=[line["seconds"] for line in lines],
                    y=[100 * line[comparison.score] for line in lines],
                    name=title,
                    error_y={"array": [100 * (line.get(f"{comparison.score}_sd") or 0) for line in lines]},
                    mode="markers+text",
                    text=[line["label"] for line in lines],
                    textposition="top right",
                    marker={"size": 10, "color": CLUSTERS[at][0]},
                )
            )
    figure = titled(go.Figure(marks), "seconds of one run", f"{comparison.score.upper()} %")
    return figure.update_layout(xaxis_type="log")


def _matrix(picture):
    import plotly.graph_objects as go

    heat = go.Heatmap(z=np.abs(picture.codes).T, colorscale=SCALE)
    return titled(go.Figure(heat), "points, sorted by cluster", "helpers, sorted by cluster")
