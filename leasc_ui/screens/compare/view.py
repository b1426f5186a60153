"""What the Methods view shows: the table, the best marked; accuracy against time; code matrices side by side."""

import streamlit as st

from leasc_core import baselines
from leasc_core.bench.picture import CodePicture
from leasc_core.errors import DataError
from leasc_ui.charts.codes import codes_chart, scale_html, shared_limit
from leasc_ui.charts.compare.scatter import families_legend, scatter_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.words import from_data
from leasc_ui.screens.compare.exports import comparison_figures, frame_csv, frame_parquet
from leasc_ui.screens.compare.rows import comparison_of, frame_of, how_busy, how_told, styled
from leasc_ui.work.names import slug

LABEL_FREE = (
    "There are no labels to score by, so these scores are label-free. **Residual**: how far a point lies off the subspace that "
    "other points of its cluster span, less is better. **Stability**: how well the labels of different seeds agree, if seeds "
    "change anything."
)
LABELLED = "ACC, NMI and ARI compare with the labels that came with the data; no method has seen them."
SHORTEST, TALLEST = 110, 330


def show_table(folder, story, progress):
    """The lines as far as they are; returns the comparison and the method whose line is selected."""
    comparison = comparison_of(folder, story, progress.rows)
    # While lines come in, each keeps its place.
    methods = comparison.methods if progress.active else comparison.ordered()
    columns = {
        "": st.column_config.TextColumn("", width=30),
        "MB": st.column_config.NumberColumn(help="Peak of memory above its start."),
        "against the best": st.column_config.TextColumn(width="medium"),
    }
    with st.container(key="compare_table"):
        picked = st.dataframe(
            styled(frame_of(comparison, methods)),
            hide_index=True,
            column_config=columns,
            key=f"compare_rows_{folder.name}",
            height="content",
            placeholder="–",
            on_select="rerun",
            selection_mode="single-row",
        )
    st.caption(f"{LABELLED if story.labelled else LABEL_FREE} {how_told(comparison, progress.active)} {how_busy(comparison)}")
    rows = picked.selection.rows
    return comparison, methods[rows[0]] if rows and rows[0] < len(methods) else None


def show_scatter(comparison):
    """Good against fast."""
    with st.container(key="compare_scatter_part"):
        st.subheader("Good against fast", anchor=False)
        lines = list(comparison.lines.values())
        st.html(families_legend(lines))
        show(scatter_chart(lines, comparison.score), "compare_scatter")
        st.caption("Top left is best. A line through a mark is one deviation over seeds, up and down.")


def show_codes(comparison):
    """Two code matrices beside each other, learned and classical (Fig. 4)."""
    pictured = {row["method"]: row["codes_file"] for row in comparison.table.rows if "codes_file" in row}
    if not pictured:
        return
    st.subheader("Who helps whom", anchor=False)
    names = list(pictured)
    learned = [name for name in names if name.startswith("leasc")]
    classical = [name for name in names if name not in learned]
    first = (learned or names)[0]
    usual = [first, *(name for name in (*classical, *learned) if name != first)][:2]
    places = st.columns(2, gap="medium")[: len(usual)]
    chosen = []
    for number, (place, name) in enumerate(zip(places, usual, strict=True)):
        key = f"compare_codes_{number}"
        if st.session_state.get(key) not in names:
            st.session_state[key] = name
        chosen.append(place.selectbox("Codes of", names, key=key, format_func=_label, label_visibility="collapsed"))
    for place, name, key in zip(places, chosen, ("compare_codes_left", "compare_codes_right"), strict=False):
        with place:
            _matrix(comparison, name, pictured[name], key)
    st.caption(
        "Columns are points, rows are those who help to write them, both sorted by found cluster; blocks on the diagonal mean "
        "that clusters help themselves. Classical coding needs a row for every point, f one a representative. Each "
        "matrix has a colour scale of its own."
    )


def show_downloads(comparison):
    """Rows, a table, figures."""
    name, frame = slug(comparison.story.title), comparison.table.frame
    with st.container(horizontal=True, key="compare_downloads"):
        _download("Rows, CSV", lambda: frame_csv(frame()), f"{name}-comparison.csv", "csv")
        _download("Rows, Parquet", lambda: frame_parquet(frame()), f"{name}-comparison.parquet", "parquet")
        _download("Table, Markdown", lambda: comparison.table.markdown().encode(), f"{name}-comparison.md", "md")
        _download("Figures, HTML", lambda: comparison_figures(comparison), f"{name}-figures.html", "figures")


def _download(label, make, file_name, key):
    st.download_button(label, make, file_name, icon=":material/download:", key=f"compare_{key}", on_click="ignore")


def _matrix(comparison, name, file, key):
    try:
        picture = CodePicture.load(comparison.folder / file)
    except DataError as problem:
        st.caption(from_data(problem))
        return
    limit = shared_limit(picture.codes)
    points, helpers = picture.count
    drawn = picture.codes.shape
    part = "" if drawn == (points, helpers) else f", {drawn[1]:,} × {drawn[0]:,} drawn"
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.markdown(f"**{helpers:,} rows** for {points:,} points{part}", width="content")
        st.html(scale_html(limit), width="content")
    height = max(SHORTEST, round(TALLEST * min(1.0, helpers / points)))
    labels = picture.points, picture.helpers
    rows = "representatives" if helpers < points else "all points, as helpers"
    show(codes_chart(picture.codes, *labels, limit, columns="points, sorted by cluster", rows=rows, height=height), key)


def _label(name):
    return baselines.get(name).label
