"""The Cluster page's own memory: its form, the run that is looked at, and what one click does."""

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui import core
from leasc_ui.cluster_request import ClusterSettings, clusters_of, estimate, request, request_of, restore, same_run
from leasc_ui.cluster_results import Results, keep_names, names_of
from leasc_ui.data_room import Shelf
from leasc_ui.full_runs import runs_of, start, status_of, without_folders
from leasc_ui.pipeline import TrainedModel, TrainSettings
from leasc_ui.remembered import Remembered

FIND, GIVEN = "find", "given"
MOST_CLUSTERS = 1000


@dataclass(frozen=True)
class ClusterChoices:
    """What the page remembers."""

    how: str = FIND
    clusters: int = 4
    seed: int = 0


REMEMBERED = Remembered(
    "cluster", ClusterChoices, {"how": (FIND, GIVEN), "clusters": range(2, MOST_CLUSTERS + 1), "seed": range(10_000)}
)


@dataclass
class Room:
    """One visitor's: ``folder`` is the run that is looked at; ``chosen`` are rows selected in a picture."""

    folder: str | None = None
    problem: str | None = None
    chosen: np.ndarray | None = None
    chosen_of: str | None = None
    named: list = field(default_factory=list)

    def select(self, rows, folder):
        """Keep which rows are selected; None for none."""
        self.chosen, self.chosen_of = (None, None) if rows is None or not len(rows) else (np.asarray(rows), str(folder))

    def selected(self, folder):
        """The selected rows of this run, or None."""
        return self.chosen if self.chosen_of == str(folder) else None


def room() -> Room:
    """The visitor's own, made on first use."""
    if "cluster_room" not in st.session_state:
        st.session_state["cluster_room"] = Room()
    return st.session_state["cluster_room"]


def cluster_form(points) -> ClusterSettings:
    """Draw the settings and return what is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Settings", anchor=False, width="content")
        st.button(
            "Reset", icon=":material/restart_alt:", type="tertiary", on_click=REMEMBERED.reset,
            help="Back to the defaults. The page’s address holds your choices: share it to share them.",
        )  # fmt: skip
    chosen = REMEMBERED.draw(lambda: _widgets(points))
    return ClusterSettings(None if chosen.how == FIND else min(chosen.clusters, points), chosen.seed)


def _widgets(points):
    key = REMEMBERED.key
    st.segmented_control(
        "Number of clusters", (FIND, GIVEN), required=True, key=key("how"), width="stretch",
        format_func={FIND: "Find it", GIVEN: "I know it"}.get,
        help="**Find it** takes the number behind which the spectrum has its largest relative gap, up to 40.",
    )  # fmt: skip
    if st.session_state[key("how")] == GIVEN:
        most = max(2, min(MOST_CLUSTERS, points))
        st.session_state[key("clusters")] = min(st.session_state[key("clusters")], most)
        st.number_input("Clusters", 2, most, key=key("clusters"), help="Another number reuses the same trained function.")
    st.number_input("Seed", 0, 9_999, key=key("seed"), help="Another seed places the landmarks and centres anew.")


def need_of(data, chosen, model, settings):
    """What a run will take; the same question is answered once."""
    key = (data.fingerprint, model.fingerprint, settings)

    def ask():
        with core.single_thread():
            return estimate(data, chosen, model, settings)

    return _shelf("needs", 64).get(key, ask)


def begin(mine, visitor, settings):
    """Start the run of the visitor's model, or show the one that was asked just this before; refusals become a sentence."""
    here, pipeline = room(), mine.pipeline
    here.problem = None
    try:
        folder = same_run(visitor, pipeline.model, settings)
        if folder is None:
            with core.single_thread():
                folder, small = request(visitor, pipeline.data, pipeline.representatives, pipeline.model, settings)
            start(folder, small)
        here.folder = str(folder)
        here.select(None, None)
    except LeascError as refusal:
        here.problem = without_folders(refusal)
    except OSError as error:
        here.problem = f"The run cannot be written down ({error.strerror}); free some space on the server and try again."


def take_defaults(mine):
    """The usual choices for every room before this one that has none."""
    from leasc_ui.representatives_room import default_settings
    from leasc_ui.representatives_work import choose
    from leasc_ui.train_work import train

    pipeline, here = mine.pipeline, room()
    here.problem = None
    try:
        with core.single_thread():
            if pipeline.ready("representatives") is None:
                pipeline.representatives = choose(pipeline.data, default_settings(pipeline.data))
            chosen = pipeline.representatives
            if pipeline.ready("model") is None:
                rpcm = train(pipeline.data, chosen, TrainSettings(), lambda event: None)
                pipeline.model = TrainedModel(chosen.fingerprint, TrainSettings(), rpcm)
    except LeascError as refusal:
        here.problem = without_folders(refusal)
    return here.problem is None


def collect(mine):
    """Hand a finished run to the pipeline, once; any page may call this. Returns the room that is running, or None."""
    here = st.session_state.get("cluster_room")
    if here is None or here.folder is None:
        return None
    status = status_of(here.folder)
    known = mine.pipeline.clusters
    if status.state == "finished" and (known is None or known.folder != here.folder):
        try:
            mine.pipeline.clusters = clusters_of(here.folder)
        except LeascError as problem:
            here.problem = without_folders(problem)
    return "clusters" if status.active else None


def open_run(mine, folder, say):
    """Bring a run of an earlier visit back, with everything it was made from."""
    here = room()
    here.problem = None
    try:
        asked = request_of(folder)
        if (
            mine.pipeline.model is None
            or mine.pipeline.status("model") != "ready"
            or mine.pipeline.model.fingerprint != asked.model
        ):
            with core.single_thread():
                restore(mine.pipeline, folder, say)
        here.folder = str(folder)
        REMEMBERED.kept.settings = ClusterChoices(
            FIND if asked.settings.clusters is None else GIVEN,
            asked.settings.clusters or ClusterChoices.clusters,
            asked.settings.seed,
        )
        for name in REMEMBERED.options:
            st.session_state.pop(REMEMBERED.key(name), None)
    except LeascError as problem:
        here.problem = without_folders(problem)


def earlier_runs(visitor):
    """``(folder, request, status)`` of this visitor's runs, newest first."""
    return [(folder, request_of(folder), status_of(folder)) for folder in runs_of(visitor) if request_of(folder) is not None]


def results_of(found, data) -> Results:
    """What can be seen of a finished run; kept for whoever looks again."""
    return _shelf("results", 8).get((found.folder, data.fingerprint), lambda: Results(found.folder, data))


def rename(folder, names):
    """Give the clusters other names; the ones before can be had back."""
    here, old = room(), names_of(folder, len(names))
    if names != old:
        here.named.append((str(folder), old))
        keep_names(folder, names)


def unname(folder):
    """Back to the names before the last change."""
    here = room()
    if here.named and here.named[-1][0] == str(folder):
        keep_names(folder, here.named.pop()[1])


@st.cache_resource(show_spinner=False)
def _shelf(name, size):
    return Shelf(size)
