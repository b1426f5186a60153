"""What a step of the tour remembers: its sliders, its reveal and its place, in the session and in the address."""

from dataclasses import fields, replace

import streamlit as st

from leasc_ui.remembered import Remembered
from leasc_ui.tour.step import Step

PLACE, KEPT_PLACE = "step", "tour_place"


class Memory(Remembered):
    """The settings of one step. The address names the step and all that differs from its defaults: a link for a class."""

    def __init__(self, step: Step):
        own = {each.name: () for each in fields(step.kind)}
        super().__init__(f"tour_{step.name}", step.kind, {**own, **step.options, "guess": step.answers})
        self.step = step

    def to_address(self, settings):
        return {PLACE: self.step.name, **super().to_address(settings)}

    def from_address(self, parameters):
        settings = super().from_address(parameters)
        free = {name: _read(parse, parameters.get(name), getattr(settings, name)) for name, parse in self.step.free.items()}
        return replace(settings, **free)

    def change(self, **values):
        """Set some fields; from a callback, so before the widgets are drawn."""
        self.put(replace(self.kept.settings, **values))

    def hear(self, component, name):
        """A callback: the browser's component says what ``name`` has become. What may not be is ignored.

        It says ``value#number``; the number makes it news where the same is said again.
        """
        said = (st.session_state.get(component) or {}).get(name)
        if isinstance(said, str):
            heard = self.from_address({name: said.rpartition("#")[0]})
            self.change(**{name: getattr(heard, name)})

    def open(self):
        """Go to this step as it was left; from a callback."""
        st.session_state[KEPT_PLACE] = self.step.name
        self.kept.address.write(self.to_address(self.kept.settings))


def _read(parse, text, usual):
    try:
        return usual if text is None else parse(text)
    except ValueError:
        return usual
