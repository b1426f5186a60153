"""What a visitor has done on the Data page, and how a choice becomes the pipeline's data; what was loaded before comes back
at once."""

import json
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

import streamlit as st

from leasc_ui import core
from leasc_ui.address import Address
from leasc_ui.data_choices import Cleaning, DataChoices, of_recipe, of_sample
from leasc_ui.data_files import facts_of
from leasc_ui.data_preview import Preview, code_labels
from leasc_ui.data_recipes import Opened, clean, open_recipe, quiet

MOST_STEPS_BACK = 30


@dataclass
class DataRoom:
    """``choices`` is what the widgets say, ``loaded`` what the pipeline's data were made from.

    ``before`` is the way back: what was loaded, and what the later rooms had made of it.

    ``take`` says that a choice was made on purpose and may replace data that came another way; ``linked`` is the cleaning that
    a link asks for, whose file is yet to come; ``uploaded`` is the last choice of a file of the visitor's own.
    """

    choices: DataChoices = field(default_factory=DataChoices)
    loaded: DataChoices | None = None
    before: list = field(default_factory=list)
    address: Address = field(default_factory=Address)
    take: bool = False
    linked: Cleaning | None = None
    uploaded: DataChoices | None = None
    problem: str | None = None
    uploads: int = 0
    stored: tuple = ()

    def put(self, choices, take=True):
        """Set every widget; only before they are drawn, so from a callback or at the top of the page."""
        self.choices, self.take, self.problem = choices, take, None
        for key in [key for key in st.session_state if str(key).startswith("data_") and key != "data_room"]:
            del st.session_state[key]

    @property
    def wanted(self):
        """What the pipeline should hold: the choices, unless they only look at another way of getting data."""
        if self.loaded is None or self.choices.complete and (self.take or self.loaded.way == self.choices.way):
            return self.choices
        return replace(self.loaded, cleaning=self.choices.cleaning)


class Shelf:
    """The last few things that were made, by key; shared by all visitors."""

    def __init__(self, size):
        self.size, self.things, self.lock = size, OrderedDict(), Lock()

    def get(self, key, make):
        with self.lock:
            if key in self.things:
                self.things.move_to_end(key)
                return self.things[key]
        thing = make()
        with self.lock:
            self.things[key] = thing
            while len(self.things) > self.size:
                self.things.popitem(last=False)
        return thing


def data_room() -> DataRoom:
    """The visitor's own, made on first use."""
    if "data_room" not in st.session_state:
        st.session_state["data_room"] = DataRoom()
    return st.session_state["data_room"]


def opened(choices, say=quiet) -> Opened | None:
    """The rows of a choice as they were read; None where the choice is not complete. LeascError where that cannot be."""
    recipe = choices.recipe()
    if recipe is None:
        return None
    return _shelf("opened", 16).get(_key(recipe), lambda: open_recipe(recipe, say))


def take_in(session, room, found, choices, say=quiet):
    """Clean what was opened and make it the pipeline's data; later rooms then show as out of date."""
    if choices == room.loaded and session.pipeline.data is not None:
        room.take = False
        return
    settings = choices.cleaning.settings(found.n_missing > 0)
    with one_thread():
        data = _shelf("cleaned", 24).get(_key(found.data.recipe, settings), lambda: clean(found, settings, say))
    if session.pipeline.data is None or data.fingerprint != session.pipeline.data.fingerprint:
        room.before = [*room.before, (room.loaded, made_of(session.pipeline))][-MOST_STEPS_BACK:]
    session.pipeline.data, room.loaded, room.take = data, choices, False
    if choices.way == "file" and choices.file.root == "uploads":
        room.uploaded = choices


def take_sample(session, name):
    """One click on a demo: its data are loaded and the Data page stands as if they had been chosen there."""
    room = data_room()
    room.put(of_sample(name))
    take_in(session, room, opened(room.choices), room.choices)


def take_choices(recipe):
    """Let the Data page stand as when data came by this recipe; they are the pipeline's already."""
    room = data_room()
    room.put(of_recipe(recipe), take=False)
    room.loaded = room.choices


def undo(session):
    """Back to the data before the last change."""
    room = data_room()
    if not room.before:
        return
    earlier, made = room.before.pop()
    room.put(earlier or DataChoices(), take=earlier is not None)
    if earlier is None:
        session.pipeline.data = room.loaded = None
        return
    steps = room.before
    try:
        take_in(session, room, opened(earlier), earlier)
    finally:
        room.before = steps
    pipeline = session.pipeline
    pipeline.representatives, pipeline.model, pipeline.clusters = made


def made_of(pipeline):
    """What the rooms after Data hold."""
    return pipeline.representatives, pipeline.model, pipeline.clusters


def file_facts(file):
    """What a file offers to choose from; looked up once, since a container is opened in a process of its own for it."""
    place = file.place()
    written = (file.separator, file.header, file.decimal)
    return _shelf("facts", 64).get(_key({"kind": "file", "path": str(place)}, written), lambda: facts_of(place, *written))


def preview_of(data) -> Preview:
    """The look at these data, kept while they are looked at."""
    return _shelf("previews", 6).get(data.fingerprint, lambda: Preview(data.source, data.points))


def coded_labels(data):
    """Labels as numbers from 0, and the name of each; ``(None, None)`` without labels."""
    if data.labels is None:
        return None, None
    key = (data.fingerprint, id(data.labels))
    return _shelf("labels", 12).get(key, lambda: (*code_labels(data.labels, data.label_names), data.labels))[:2]


@contextmanager
def one_thread():
    """Small matrices are several times slower on two threads than on one."""
    if core.loaded():
        with core.small_run():
            yield
        return
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


@st.cache_resource(show_spinner=False)
def _shelf(name, size):
    return Shelf(size)


def _key(recipe, *more):
    """The recipe as text; of a file also its size and time, so that a changed file is read again."""
    stamp = None
    if recipe["kind"] == "file" and Path(recipe["path"]).exists():
        facts = Path(recipe["path"]).stat()
        stamp = (facts.st_size, facts.st_mtime_ns)
    return json.dumps([recipe, stamp, *more], sort_keys=True)
