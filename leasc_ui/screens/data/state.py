"""What a visitor has done on the Data page, and how a choice becomes the pipeline's data; what was loaded before comes back
at once."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.data.choices import TEXT, Cleaning, DataChoices, Making, of_recipe, of_sample
from leasc_ui.data.files import facts_of
from leasc_ui.data.recipes import Opened, clean, open_recipe, quiet
from leasc_ui.session.address import Address
from leasc_ui.session.form import PartOfForm, Widgets
from leasc_ui.work.cache import LruCache
from leasc_ui.work.core import one_thread

SCOPE = "data"
_OPENED, _CLEANED, _FACTS = LruCache(16), LruCache(24), LruCache(64)
WIDGETS, MAKE, CLEAN = Widgets("data"), PartOfForm("data_make", Making), PartOfForm("data_clean", Cleaning)


@dataclass
class DataState:
    """``choices`` is what the widgets say, ``loaded`` what the pipeline's data were made from.

    ``take`` says that a choice was made on purpose and may replace data that came another way; ``linked`` is the cleaning that
    a link asks for, whose file is yet to come; ``uploaded`` is the last choice of a file of the visitor's own.
    """

    choices: DataChoices = field(default_factory=DataChoices)
    loaded: DataChoices | None = None
    address: Address = field(default_factory=Address)
    take: bool = False
    linked: Cleaning | None = None
    uploaded: DataChoices | None = None
    problem: str | None = None
    uploads: int = 0
    stored: tuple = ()

    def put(self, choices, take=True):
        """Choose this; the widgets follow when they are drawn next."""
        self.choices, self.take, self.problem = choices, take, None
        MAKE.put(choices.making)
        CLEAN.put(choices.cleaning)

    @property
    def wanted(self):
        """What the pipeline should hold: the choices, unless they only look at another way of getting data."""
        if self.loaded is None or self.choices.complete and (self.take or self.loaded.way == self.choices.way):
            return self.choices
        return replace(self.loaded, cleaning=self.choices.cleaning)


def data_state() -> DataState:
    """The visitor's own, made on first use."""
    if "data_state" not in st.session_state:
        st.session_state["data_state"] = DataState()
    return st.session_state["data_state"]


def opened(choices, say=quiet) -> Opened | None:
    """The rows of a choice as they were read; None where the choice is not complete. LeascError where that cannot be."""
    recipe = choices.recipe()
    if recipe is None:
        return None
    return _OPENED.get(_key(recipe), lambda: open_recipe(recipe, say))


def take_in(session, state, found, choices, say=quiet):
    """Clean what was opened and make it the pipeline's data; later rooms then show as out of date."""
    if choices == state.loaded and session.pipeline.data is not None:
        state.take = False
        return
    data = _cleaned(found, choices, say)
    roles = None if state.loaded is None else state.loaded.file.roles
    if session.pipeline.data is None or data.fingerprint != session.pipeline.data.fingerprint or choices.file.roles != roles:
        _keep(session, state)
    session.pipeline.set("data", data)
    state.loaded, state.take = choices, False
    if choices.way == "file" and choices.file.root == "uploads":
        state.uploaded = choices


def _cleaned(found, choices, say):
    settings = choices.cleaning.settings(found.n_missing > 0)
    with one_thread():
        return _CLEANED.get(_key(found.data.recipe, settings), lambda: clean(found, settings, say))


def take_sample(session, name):
    """One click on a demo: its data are loaded and the Data page stands as if they had been chosen there."""
    state = data_state()
    state.put(of_sample(name))
    take_in(session, state, opened(state.choices), state.choices)


def take_choices(recipe):
    """Let the Data page stand as when data came by this recipe; they are the pipeline's already."""
    state = data_state()
    state.put(of_recipe(recipe), take=False)
    state.loaded = state.choices


def _keep(session, state):
    """Remember the way back: the data are made again, what came of them is kept."""
    earlier, (_, *made) = state.loaded, session.pipeline.snapshot()

    def back():
        try:
            data = None if earlier is None else _cleaned(opened(earlier), earlier, quiet)
        except LeascError as problem:
            state.problem = str(problem)
            return
        state.put(earlier or DataChoices(), take=False)
        state.loaded = earlier
        session.restore((data, *made))

    session.keep(SCOPE, also=back)


def file_facts(file):
    """What a file offers to choose from; looked up once, since a container is opened in a process of its own for it."""
    place = file.place()
    written = {name: getattr(file, name) for name in (*TEXT, "sheet")}
    return _FACTS.get(_key({"kind": "file", "path": str(place)}, written), lambda: facts_of(place, **written))


def _key(recipe, *more):
    """The recipe as text; of a file also its size and time, so that a changed file is read again."""
    stamp = None
    if recipe["kind"] == "file" and Path(recipe["path"]).exists():
        facts = Path(recipe["path"]).stat()
        stamp = (facts.st_size, facts.st_mtime_ns)
    return json.dumps([recipe, stamp, *more], sort_keys=True)
