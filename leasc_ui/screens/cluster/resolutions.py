"""Numbers of clusters at several resolutions: one click each, with the evidence, and the honest word where there are none."""

from dataclasses import dataclass, field, replace

import streamlit as st

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
        return
    with st.container(key="resolutions", gap="small"):
        st.markdown("**Numbers of clusters that hold**, the most informative first")
        with st.container(horizontal=True):
            for plateau in kept.counts.plateaus[:MOST_SHOWN]:
                _offer(session, kept, plateau, results.count)
        shown = next((plateau for plateau in kept.counts.plateaus if plateau.k == results.count), kept.counts.plateaus[0])
        st.caption(shown.why)


def words_of(plateau, plateaus):
    """A number in words: how it lies among the others, and how far the labels can be believed."""
    numbers = sorted(each.k for each in plateaus)
    place = {numbers[0]: " broad", numbers[-1]: " fine"}.get(plateau.k, " middling")
    kind = place if len(numbers) > 1 else ""
    again, chance = (100 * max(0.0, share) for share in (plateau.agreement, plateau.null_agreement))
    return f"**{plateau.k}**{kind} groups, {again:.0f} % the same again (by chance {chance:.0f} %)"


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
