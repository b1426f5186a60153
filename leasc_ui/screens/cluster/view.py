"""What the Cluster page shows of a finished run: facts, sizes, spectrum, agreement with known classes, members, codes."""

import streamlit as st

from leasc_core.runs.budget import readable_seconds
from leasc_ui.charts.cluster.confusion import confusion_chart
from leasc_ui.charts.cluster.sizes import MOST_BARS, PICK, sizes_chart
from leasc_ui.charts.cluster.spectrum import gap_chart
from leasc_ui.charts.codes import codes_chart, scale_html, shared_limit
from leasc_ui.data.preview import coded_labels, montage, pictures_of
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import score_tiles, tiles
from leasc_ui.results.picks import cluster_words
from leasc_ui.results.results import MEMBERS, confusion, names_of
from leasc_ui.screens.cluster.choices import FORM
from leasc_ui.screens.cluster.state import cluster_state
from leasc_ui.work.core import one_thread

# A point with at least this margin is nearer its own centre than any other by three to one.
CLEAR = 2 / 3
STYLE = """<style>
[class*=st-key-member_pictures] img,.st-key-chosen_pictures img,.st-key-helper_pictures img{image-rendering:pixelated}
.st-key-look_at [data-testid=stHorizontalBlock]{align-items:center}
</style>"""
MOST_CLASSES = 60
# So many names are seen at once; a longer table is scrolled.
MOST_NAMES_SHOWN, SCROLLED_HEIGHT = 10, 400


def show_tiles(results):
    """Clusters, scores where there are labels, and time."""
    from leasc_core.evidence.count import FOUND_BY

    scores = results.scores
    asked = results.config["parameters"].get("n_clusters")
    how = f"{FOUND_BY[results.summary.get('counted_by', None if asked else 'eigengap')].capitalize()}."
    took = readable_seconds(results.summary["seconds"], measured=True)
    shown = [("Clusters", f"{getattr(results, 'clusters', results.count):,}", how)]
    if scores:
        shown += score_tiles(scores, "classes")
    else:
        shown += [
            ("Points", f"{results.summary['points']:,}", "Each has a label."),
            ("Smallest", f"{int(results.sizes.min()):,}", "Points in the smallest cluster."),
            ("Computed in", took, "Coding and clustering everything."),
        ]
    tiles(*shown)
    words = f"{results.did} {results.summary['points']:,} points in {took}."
    if scores:
        words += " The scores compare with the labels that came with the data; those were used for nothing else."
    st.caption(words)


def show_sizes(results, names):
    """Bars; a click selects a cluster."""
    st.subheader("Sizes", anchor=False)
    chart, key = sizes_chart(results.sizes, names), f"sizes_chart_{results.folder.name}"

    def pick():
        chosen = st.session_state[key].selection.get(PICK)
        cluster_state().select(cluster_words("cluster", chosen[0]["number"] - 1) if chosen else None, results)

    with st.container(key="sizes"):
        st.vega_lite_chart(chart.data, chart.spec, key=key, on_select=pick, selection_mode=PICK, alt=chart.alt)
    few = f" Showing the {MOST_BARS} largest of {results.count:,}." if results.count > MOST_BARS else ""
    st.caption(f"From {results.sizes.min():,} to {results.sizes.max():,} points. Click a bar to select its cluster.{few}")


def show_spectrum(results):
    """Eigenvalues and the gap."""
    from leasc_core.spectral.embedding import eigengap

    st.subheader("Spectrum", anchor=False)
    values, count = results.model.eigenvalues_, results.count
    show(gap_chart(values, count), "spectrum")
    found = eigengap(values)
    if found == count:
        st.caption(f"Eigenvalues near 1 are clusters; the largest relative gap is behind {count}.")
    else:
        st.caption(
            f"Eigenvalues near 1 are clusters. The line stands behind the {count} of this run; the distance to 1 grows by the "
            f"largest factor behind {found}."
        )


def show_confusion(results, names):
    """Known classes against clusters, where there are known classes."""
    labels, classes = coded_labels(results.data)
    if labels is None or len(labels) != len(results.labels):
        return
    st.subheader("Against the known classes", anchor=False)
    if len(classes) > MOST_CLASSES or results.count > MOST_CLASSES:
        st.caption(
            f"{len(classes):,} classes against {results.count:,} clusters are too many to draw; the scores above still hold."
        )
        return
    table, order = confusion(labels, results.labels)
    show(confusion_chart(table, order, [str(name)[:40] for name in classes], names), "confusion")
    st.caption("Clusters stand in the order in which they match the classes best. Labels are compared with, never used.")


def show_members(results, names):
    """Typical and doubtful points of a cluster."""
    st.subheader("Typical and doubtful", anchor=False)
    members = {at + 1: f"{names[at]}, {results.sizes[at]:,} points" for at in range(results.count)}
    number = FORM.field("member", options=members)
    with one_thread():
        typical, doubtful = results.members(number - 1)
    for title, at, mark in (("Typical", typical, "largest"), ("Doubtful", doubtful, "smallest")):
        clear = " – none of these is in doubt" if title == "Doubtful" and results.margins[at].min() >= CLEAR else ""
        st.markdown(f"**{title}**: the {mark} margins, {_range(results.margins[at])}{clear}")
        rows = results.rows[at]
        if results.data.image_shape and len(rows):
            with st.container(key="member_pictures" if title == "Typical" else "member_pictures_doubtful"):
                st.image(
                    montage(pictures_of(results.data, rows), MEMBERS), width="stretch", alt=f"{title} pictures of a cluster."
                )
        else:
            st.markdown("rows " + ", ".join(f"{row:,}" for row in rows))
        st.button(
            f"Select these {len(rows)}",
            key=f"select_{title}",
            icon=":material/select_all:",
            type="tertiary",
            on_click=cluster_state().select,
            args=(cluster_words(title.lower(), number - 1), results),
        )
    st.caption(
        "A point’s margin is 1 − d₁ / d₂ in the spectral embedding, d₁ its distance to its own cluster’s centre and d₂ "
        "to the nearest other one: 1 is at the centre, 0 on the border."
    )


def show_codes(results):
    """The code matrix, sorted by cluster."""
    codes, points, helpers, (shown, helping) = results.code_sample
    limit = shared_limit(codes)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.subheader("Who helps whom", anchor=False, width="content")
        st.html(scale_html(limit), width="content")
    show(codes_chart(codes, points, helpers, limit, columns="points, sorted by cluster", height=300), "cluster_codes")
    few = f"{shown:,} of {len(results.labels):,} points"
    these = f"{helping:,} of {len(results.representative_labels):,} representatives"
    st.caption(
        f"Each column is a point, each row a representative: {few} over {these}. Blocks mean that clusters help themselves."
    )


def current_names(results):
    """The clusters' names as they are now."""
    return getattr(results, "names", None) or names_of(results.folder, results.count)


def _range(margins):
    return f"{margins.min():.2f} to {margins.max():.2f}" if len(margins) else "none"
