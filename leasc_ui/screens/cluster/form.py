"""The settings of the Cluster page as widgets: how many clusters, and, for those who want to, how they are found."""

import streamlit as st

from leasc_ui.results.asked import ClusterSettings
from leasc_ui.screens import links
from leasc_ui.screens.cluster.choices import AUTO, FORM, GRAPHS, OWN_GRAPHS, PREPARATIONS, settings_of
from leasc_ui.screens.cluster.request import SMALL_POINTS
from leasc_ui.screens.cluster.state import cluster_state

CLUSTERED, PICKED = "clustered", "picked"


def cluster_form(session) -> ClusterSettings:
    """Draw the settings and return what is chosen; the address holds what is looked at, and all that it was made from."""
    points, state = len(session.pipeline.data.points), cluster_state()
    trained = session.pipeline.ready("model") is not None
    if not trained and FORM.settings.mine:
        FORM.change(mine=False)
    chosen = FORM.draw(points, _address(session), lambda: _widgets(session.pipeline.data, points, trained))
    state.opened = state.opened or FORM.state.opened.pop(PICKED, None)
    return settings_of(chosen, points)


def wanted_by_link(session):
    """Whether the page was opened by a link to finished clusters that may be found again at once; until they are begun."""
    finished = FORM.state.opened.get(CLUSTERED) == "yes"
    ready = session.pipeline.clusters is None and cluster_state().folder is None
    return finished and ready and len(session.pipeline.data.points) <= SMALL_POINTS


def _address(session):
    """Beside the choices of the page: those of the rooms before it, whether there is a result, and what is selected in it."""
    state, found = cluster_state(), session.pipeline.ready("clusters")
    given = st.query_params.to_dict() if state.folder is None else {}
    finished = found is not None or given.get(CLUSTERED) == "yes"
    picked = state.picked or (None if state.cleared else state.opened or given.get(PICKED))
    more = {CLUSTERED: "yes"} if finished else {}
    return links.rooms_before(session, "clusters") | more | ({PICKED: picked} if picked else {})


def _widgets(data, points, trained):
    FORM.all_fields(points, "how", "clusters")
    if trained:
        FORM.field("mine")
    with st.expander("How they are found", icon=":material/tune:", expanded=_something_is_given()):
        if trained and FORM.settings.mine:
            if FORM.settings.affinity not in OWN_GRAPHS:
                FORM.change(affinity="landmarks")
            FORM.field("affinity", options=OWN_GRAPHS)
        else:
            kept, pictures = FORM.settings, bool(data.image_shape)
            offered = [name for name in PREPARATIONS if pictures or not name.startswith("scattering") or name == kept.preparation]
            FORM.field("preparation", options={name: PREPARATIONS[name] for name in offered})
            FORM.field("affinity", options={name: GRAPHS[name] for name in GRAPHS if name != "codes" or kept.affinity == "codes"})
        FORM.all_fields(points, "landmarks")
        left, right = st.columns(2, wrap=False)
        FORM.field("draws", place=left)
        FORM.field("seed", place=right)


def _something_is_given():
    chosen = FORM.settings
    return chosen.preparation != AUTO or chosen.affinity != AUTO or chosen.draws > 1 or chosen.seed > 0
