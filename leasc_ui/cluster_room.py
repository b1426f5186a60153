"""The Cluster page's own memory: its form, the run that is looked at, and what one click does."""

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui import core, share
from leasc_ui.choices import Words
from leasc_ui.cluster_line import OUT_OF_MEMORY
from leasc_ui.cluster_picks import rows_of
from leasc_ui.cluster_request import (
    SMALL_POINTS,
    ClusterSettings,
    clusters_of,
    estimate,
    request,
    request_of,
    restore,
    same_run,
)
from leasc_ui.cluster_results import KINDS, Results, keep_names, names_of
from leasc_ui.data_room import Shelf, take_choices
from leasc_ui.full_runs import runs_of, start, status_of, without_folders
from leasc_ui.pipeline import TrainedModel, TrainSettings
from leasc_ui.remembered import Remembered

FIND, GIVEN = "find", "given"
MOST_CLUSTERS = 1000
FLAT, SOLID = "2-D", "3-D"
BY_CLUSTER, BY_CLASS, BY_CONFIDENCE = "clusters", "classes", "confidence"
CLUSTERED, PICKED = "clustered", "picked"
MOST_LANDMARKS, MOST_DRAWS = 8000, 9
AFFINITIES = {
    "landmarks": Words("landmarks", "Landmarks", "joins points to the typical codes nearest to theirs; right for most data."),
    "codes": Words("codes", "Codes", "joins points to the representatives that write them, as in the paper’s Eqs. 9 and 10."),
}


@dataclass(frozen=True)
class ClusterChoices:
    """What the page remembers: what is asked for, and how the answer is looked at. ``member`` is a cluster, counted from 1."""

    how: str = FIND
    clusters: int = 4
    seed: int = 0
    affinity: str = "landmarks"
    landmarks: int | None = None
    draws: int = 1
    view: str = "spectral"
    space: str = FLAT
    colour: str = BY_CLUSTER
    member: int = 1


REMEMBERED = Remembered(
    "cluster",
    ClusterChoices,
    {
        "how": (FIND, GIVEN),
        "clusters": range(2, MOST_CLUSTERS + 1),
        "seed": range(10_000),
        "affinity": tuple(AFFINITIES),
        "landmarks": range(2, MOST_LANDMARKS + 1),
        "draws": range(1, MOST_DRAWS + 1),
        "view": tuple(KINDS),
        "space": (FLAT, SOLID),
        "colour": (BY_CLUSTER, BY_CLASS, BY_CONFIDENCE),
        "member": range(1, MOST_CLUSTERS + 1),
    },
    later=("view", "space", "colour", "member"),
)


@dataclass
class Room:
    """One visitor's: ``folder`` is the run that is looked at; ``chosen`` are rows selected in a picture, ``picked`` says how.

    ``opened`` is a selection that came with a link; its box is drawn in the map, until the selection is cleared.
    """

    folder: str | None = None
    problem: str | None = None
    chosen: np.ndarray | None = None
    chosen_of: str | None = None
    picked: str | None = None
    opened: str | None = None
    cleared: int = 0
    named: list = field(default_factory=list)

    def select(self, words, results):
        """Keep which rows are selected, in the words of ``cluster_picks``; None for none."""
        rows = rows_of(words, results) if words else None
        self.chosen, self.chosen_of, self.picked = (None, None, None) if rows is None else (rows, str(results.folder), words)

    def clear(self):
        """Nothing is selected, and no box is drawn."""
        self.chosen = self.chosen_of = self.picked = self.opened = None
        self.cleared += 1

    def selected(self, folder):
        """The selected rows of this run, or None."""
        return self.chosen if self.chosen_of == str(folder) else None

    def follow(self, results):
        """Select what a link says, once there is something to select from."""
        if self.opened is not None and self.picked is None and self.cleared == 0:
            self.select(self.opened, results)


def room() -> Room:
    """The visitor's own, made on first use."""
    if "cluster_room" not in st.session_state:
        st.session_state["cluster_room"] = Room()
    return st.session_state["cluster_room"]


def cluster_form(mine) -> ClusterSettings:
    """Draw the settings and return what is chosen; the address holds what is looked at, and all that it was made from."""
    points, here = len(mine.pipeline.data.points), room()
    chosen = REMEMBERED.form(lambda: _widgets(points), usual_for(points), _address(mine))
    here.opened = here.opened or REMEMBERED.kept.opened.pop(PICKED, None)
    return _settings(chosen, points)


def wanted_by_link(mine):
    """Whether the page was opened by a link to finished clusters that may be found again at once; until they are begun."""
    finished = REMEMBERED.kept.opened.get(CLUSTERED) == "yes"
    ready = mine.pipeline.ready("model") is not None and mine.pipeline.clusters is None and room().folder is None
    return finished and ready and len(mine.pipeline.data.points) <= SMALL_POINTS


def _settings(chosen, points):
    count = None if chosen.how == FIND else min(chosen.clusters, points)
    landmarks = None if chosen.landmarks is None or chosen.affinity == "codes" else min(chosen.landmarks, points)
    return ClusterSettings(count, chosen.seed, chosen.affinity, landmarks, chosen.draws)


def usual_for(points):
    """What stands for None in the choices, for so many points."""
    from leasc_core.spectral.landmarks import default_landmarks

    return lambda choices: {"landmarks": default_landmarks(points)}


def _address(mine):
    """Beside the choices of the page: those of the rooms before it, whether there is a result, and what is selected in it."""
    here, found = room(), mine.pipeline.ready("clusters")
    given = st.query_params.to_dict() if here.folder is None else {}
    finished = found is not None or given.get(CLUSTERED) == "yes"
    picked = here.picked or (None if here.cleared else here.opened or given.get(PICKED))
    more = {CLUSTERED: "yes"} if finished else {}
    return share.rooms_before(mine, "clusters") | more | ({PICKED: picked} if picked else {})


def _widgets(points):
    key = REMEMBERED.key
    st.segmented_control(
        "Number of clusters", (FIND, GIVEN), required=True, key=key("how"), width="stretch",
        format_func={FIND: "Find it", GIVEN: "I know it"}.get,
        help="**Find it** takes the number that two draws, each on its own, tell the points in the fewest words with; or the one "
        "behind a wide gap of the spectrum; or the one at which draws agree most.",
    )  # fmt: skip
    if st.session_state[key("how")] == GIVEN:
        most = max(2, min(MOST_CLUSTERS, points))
        REMEMBERED.within("clusters", 2, most)
        st.number_input("Clusters", 2, most, key=key("clusters"), help="Another number reuses the same trained function.")
    st.segmented_control(
        "Points are joined by", tuple(AFFINITIES), required=True, key=key("affinity"), width="stretch",
        format_func=lambda name: AFFINITIES[name].label,
        help="\n\n".join(f"**{each.label}** {each.meaning}" for each in AFFINITIES.values()),
    )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    left.number_input("Draws", 1, MOST_DRAWS, key=key("draws"),
                      help="More than one: representatives and landmarks are drawn and f is taught again, and all draws are "
                      "clustered as one. Steadier labels, for so many times the work; 3 to 5 are enough.")  # fmt: skip
    right.number_input("Seed", 0, 9_999, key=key("seed"), help="Another seed draws anew all that is drawn here.")
    if st.session_state[key("affinity")] == "landmarks":
        most = min(MOST_LANDMARKS, points)
        REMEMBERED.within("landmarks", 2, most)
        st.number_input("Landmarks", 2, most, key=key("landmarks"),
                        help=f"More follow finer shapes and take longer. Usual for {points:,} points: "
                        f"{usual_for(points)(None)['landmarks']:,}.")  # fmt: skip


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
        if here.folder not in (None, str(folder)):
            here.clear()
        here.folder = str(folder)
    except LeascError as refusal:
        here.problem = without_folders(refusal)
    except MemoryError:
        here.problem = OUT_OF_MEMORY
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
    except MemoryError:
        here.problem = OUT_OF_MEMORY
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
        take_choices(asked.recipe)
        REMEMBERED.kept.settings = ClusterChoices(
            FIND if asked.settings.clusters is None else GIVEN,
            asked.settings.clusters or ClusterChoices.clusters,
            asked.settings.seed,
            asked.settings.affinity,
            asked.settings.landmarks,
            asked.settings.draws,
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
