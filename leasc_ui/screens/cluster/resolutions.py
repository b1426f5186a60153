"""Numbers of clusters at several resolutions: one click each, with the evidence, and the honest word where there are none."""

from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from leasc_core.evidence.count import FOUND_BY
from leasc_ui.screens.cluster.choices import AUTO, FORM, GIVEN

KEPT = "resolutions"
MOST_SHOWN = 5


@dataclass(frozen=True)
class Resolutions:
    """What a search for the number came to, kept while another of its numbers is looked at."""

    data: str
    counts: object = field(repr=False)
    preparation: str
    graph: str


def remember(results):
    """Keep the numbers of a run that found them; one that was given a number has none of its own."""
    counts = getattr(results.model, "counts_", None)
    if counts is not None:
        preparation = results.choice.preparation if results.choice is not None else AUTO
        found = Resolutions(results.data.fingerprint, counts, preparation, getattr(results.model, "affinity_", AUTO))
        st.session_state[KEPT] = found


def show_resolutions(session, results):
    """The numbers that hold, the most informative first; a click finds the clusters of another one."""
    remember(results)
    kept = st.session_state.get(KEPT)
    if kept is None or kept.data != results.data.fingerprint:
        return
    if not kept.counts.found:
        st.warning(
            f"**{kept.counts.why}** What is shown is one group; a number can still be given in the settings.",
            icon=":material/do_not_disturb_on:",
        )
        if kept.counts.judged:
            _show_evidence(kept.counts)
        return
    with st.container(key="resolutions", gap="small"):
        st.markdown("**Numbers of clusters that hold**, the most informative first")
        with st.container(horizontal=True):
            for plateau in kept.counts.plateaus[:MOST_SHOWN]:
                _offer(session, kept, plateau, results.count)
        shown = next((plateau for plateau in kept.counts.plateaus if plateau.k == results.count), kept.counts.plateaus[0])
        st.caption(shown.why)
        _show_evidence(kept.counts)


def words_of(plateau, plateaus):
    """A number in words: how it lies among the others, and how far the labels can be believed."""
    numbers = sorted(each.k for each in plateaus)
    place = {numbers[0]: " broad", numbers[-1]: " fine"}.get(plateau.k, " middling")
    kind = place if len(numbers) > 1 else ""
    again, chance = (100 * max(0.0, share) for share in (plateau.agreement, plateau.null_agreement))
    return f"**{plateau.k}**{kind} groups, {again:.0f} % the same again (by chance {chance:.0f} %)"


def _show_evidence(counts):
    """Every number that was judged with what speaks for it, and how the finer groups lie in the broader ones."""
    from leasc_ui.charts.cluster.tree import tree_figure

    with st.expander("What speaks for each number, and how they nest", icon=":material/account_tree:", key="numbers_judged"):
        st.dataframe(evidence_table(counts), hide_index=True, column_config=COLUMNS, key="numbers_table", height="content")
        if len(counts.levels) > 1:
            figure = tree_figure(counts, st.context.theme.type)
            st.plotly_chart(figure, key="numbers_tree", config={"displayModeBar": False})
            st.caption(
                "Each group stands below the broader one that holds most of it, as wide as its share of the rows that were "
                "counted. A click opens a group, a click on what holds it closes it again."
            )


def evidence_table(counts):
    """The numbers that were judged, the most informative first, a row each; shares in per cent."""
    rows = counts.table()
    return pd.DataFrame(
        {
            "clusters": [row["k"] for row in rows],
            "offered": [row["offered"] for row in rows],
            "the same again": [100 * row["agreement"] for row in rows],
            "by chance": [100 * row["null_agreement"] for row in rows],
            "border": [100 * row["valley"] for row in rows],
            "information": [row["information"] for row in rows],
            "found by": [FOUND_BY[row["how"]].removeprefix("found by ") for row in rows],
        }
    )


def _percent(title, words):
    return st.column_config.NumberColumn(title, format="%.0f %%", help=words)


COLUMNS = {
    "the same again": _percent("the same again", "Adjusted Rand index of labels of re-drawn rows; 100 %: the same."),
    "by chance": _percent("by chance", "The same in one shapeless cloud of the same spread."),
    "border": _percent("border", "Points at the borders of clusters beside those at their middles; 0 % stands apart."),
    "information": st.column_config.NumberColumn(
        "information", format="%.2f", help="Nats that two labelings share beyond those of the cloud; the largest comes first."
    ),
}


def _offer(session, kept, plateau, shown):
    st.button(
        words_of(plateau, kept.counts.plateaus),
        key=f"take_{plateau.k}",
        type="primary" if plateau.k == shown else "secondary",
        help=plateau.why,
        on_click=_take,
        args=(session, kept, plateau.k),
        disabled=plateau.k == shown,
    )


def _take(session, kept, k):
    """Ask for this number, prepared and joined as before, as soon as the page is seen."""
    from leasc_ui.screens.cluster.state import cluster_state

    settings = FORM.settings
    wanted = replace(settings, how=GIVEN, clusters=k, preparation=kept.preparation, affinity=kept.graph, mine=False)
    FORM.put(wanted, undo=True)
    cluster_state().at_once = True
