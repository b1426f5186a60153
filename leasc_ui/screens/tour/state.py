"""What a step of the tour remembers: its settings, its reveal and its place, in the session and in the address."""

from dataclasses import replace

import streamlit as st

from leasc_ui.screens.tour.step import Step
from leasc_ui.session.form import Form

PLACE, KEPT_PLACE = "step", "tour_place"


class Memory(Form):
    """The settings of one step. The address names the step and all that differs from its defaults: a link for a class."""

    def __init__(self, step: Step):
        super().__init__(f"tour_{step.name}", step.kind)
        self.step = step

    def to_address(self, settings):
        """The step, and what differs from its defaults."""
        return {PLACE: self.step.name, **super().to_address(settings)}

    def from_address(self, given):
        """The settings of an address; an answer that the step does not offer is none."""
        settings = super().from_address(given)
        return settings if settings.guess in self.step.answers else replace(settings, guess="")

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
        self.write_address()
