"""The Compare page's own memory: its choices in the address, the comparison and the sweep looked at, and the way back."""

from dataclasses import dataclass, field, replace

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.compare_data import YOURS, Subject, subject_of, titles
from leasc_ui.compare_loading import base_parameters
from leasc_ui.compare_methods import from_text, to_text, usual_methods
from leasc_ui.compare_runs import COMPARISONS, SWEEPS, begin_sweep, begin_table, earlier
from leasc_ui.compare_sweep import AXES, COLOURS, NOTHING, axes_of, usual_values
from leasc_ui.data_room import Shelf, one_thread
from leasc_ui.full_runs import without_folders
from leasc_ui.remembered import Remembered

METHODS, SWEEP = "methods", "sweep"
VIEWS = {METHODS: "Methods", SWEEP: "Sweep"}
MOST_SEEDS, MOST_CLUSTERS, MOST_REPRESENTATIVES = 20, 1000, 5000


@dataclass(frozen=True)
class CompareChoices:
    """What the page remembers; None is what belongs to the data."""

    view: str = METHODS
    data: str = YOURS
    methods: str | None = None
    seeds: int = 3
    clusters: int | None = None
    representatives: int | None = None
    down: str = "alpha"
    across: str = "beta"
    down_values: str | None = None
    across_values: str | None = None
    variant: str = "elastic_net"
    draws: int = 2
    colour: str | None = None


class _Address(Remembered):
    """Methods and values are free: whatever can be read is taken from an address."""

    def from_address(self, parameters):
        settings = super().from_address(parameters)
        if from_text(parameters.get("methods", "")):
            settings = replace(settings, methods=to_text(from_text(parameters["methods"])))
        values = {name: parameters[name][:200] for name in ("down_values", "across_values") if name in parameters}
        return replace(settings, **values)

    def reset(self, usual=lambda settings: {}):
        """Back to the defaults, in the same view and on the same data."""
        fresh = replace(self.kind(), view=self.kept.settings.view, data=self.kept.settings.data)
        self._keep(fresh)
        self.put(fresh, usual)


REMEMBERED = _Address(
    "compare",
    CompareChoices,
    {
        "view": tuple(VIEWS),
        "data": (YOURS, *titles()),
        "methods": (),
        "seeds": range(1, MOST_SEEDS + 1),
        "clusters": range(2, MOST_CLUSTERS + 1),
        "representatives": range(2, MOST_REPRESENTATIVES + 1),
        "down": (*AXES, NOTHING),
        "across": tuple(AXES),
        "down_values": (),
        "across_values": (),
        "variant": ("f2", "l1", "nuclear", "elastic_net"),
        "draws": range(1, 11),
        "colour": tuple(COLOURS),
    },
)


@dataclass
class Room:
    """One visitor's: the folders that are looked at, and what was loaded from a cell, with the way back."""

    table: str | None = None
    sweep: str | None = None
    problem: str | None = None
    begun: bool = False
    loaded: list = field(default_factory=list)


def room() -> Room:
    """The visitor's own, made on first use."""
    if "compare_room" not in st.session_state:
        st.session_state["compare_room"] = Room()
    return st.session_state["compare_room"]


def find_earlier(visitor):
    """Whoever comes back finds the latest of his own, also while it goes on."""
    here = room()
    for name, shelf in (("table", COMPARISONS), ("sweep", SWEEPS)):
        if getattr(here, name) is None:
            setattr(here, name, next((str(folder) for folder, _ in earlier(visitor, shelf)), None))


def subject_for(mine, key) -> Subject:
    """The data to compare on; without data of one's own, the first sample set. Sample sets are read once."""
    if key == YOURS and mine.pipeline.ready("data") is not None:
        return subject_of(key, mine.pipeline)
    key = next(iter(titles())) if key == YOURS else key
    return _shelf().get(key, lambda: subject_of(key, mine.pipeline))


def usual_for(mine):
    """What stands for None in the choices."""

    def usual(settings):
        subject = subject_for(mine, settings.data)
        found = {f"{side}_values": usual_values(getattr(settings, side), subject.shape[0]) for side in ("down", "across")}
        return {**found, "methods": to_text(usual_methods(subject.shape[0])), "clusters": subject.clusters,
                "representatives": subject.representatives, "colour": "acc" if subject.labelled else "stability"}  # fmt: skip

    return usual


def filled(mine, chosen):
    """The choices with the usual in place of None."""
    usual = usual_for(mine)(chosen)
    return replace(chosen, **{name: value for name, value in usual.items() if getattr(chosen, name) is None})


def begin(mine, visitor, subject, chosen):
    """Start what is chosen; a refusal becomes a sentence."""
    here, chosen = room(), filled(mine, chosen)
    here.problem = None
    try:
        with one_thread():
            _begin(here, visitor, subject, chosen)
    except LeascError as refusal:
        here.problem = without_folders(refusal)
    except OSError as error:
        here.problem = f"The run cannot be written down ({error.strerror}); free some space on the server and try again."


def _begin(here, visitor, subject, chosen):
    if chosen.view == METHODS:
        wanted = from_text(chosen.methods)
        here.table = str(begin_table(visitor, subject, wanted, chosen.seeds, chosen.clusters, chosen.representatives))
    else:
        asked = (axes_of(chosen), base_parameters(chosen), chosen.draws, chosen.clusters, chosen.representatives)
        here.sweep = str(begin_sweep(visitor, subject, *asked))


@st.cache_resource(show_spinner=False)
def _shelf():
    return Shelf(8)
