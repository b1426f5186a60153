"""The settings of a page as widgets that remember: in the session, in the page's address, with undo and reset.

A widget is drawn with what is chosen as its default, so one that the browser loads late, or forgot, comes up right. A value is
sent to the browser on top of that only when the program changed it (undo, a link, other data): a value that is sent while
somebody is typing would take the place of what is typed.
"""

from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import streamlit as st

from leasc_ui.session.address import Address
from leasc_ui.session.fields import concrete, fields_of, from_address, to_address
from leasc_ui.session.state import current_session

SHARED = "Back to the defaults. The address of this page holds your choices: share it to share the view."


class Widgets:
    """Widgets of a page whose values are kept elsewhere; ``page`` keeps them apart from those of other pages."""

    def __init__(self, page: str):
        self.page = page

    def key(self, name: str) -> str:
        """The key of a widget."""
        return f"{self.page}_{name}"

    def show(self, name, value, draw):
        """``draw(key=…, default=value)`` draws a widget that shows this value; without a default the session gives it.

        What the widget says is returned.
        """
        shown = st.session_state.setdefault(f"{self.page}_shown", {})
        given = {"key": self.key(name)}
        if shown.get(name, value) == value:
            given["default"] = value
        else:
            st.session_state[self.key(name)] = value
        said = shown[name] = draw(**given)
        return said


@dataclass
class FormState:
    """One visitor's: what is chosen, the page's address, and what else a link said.

    ``more`` is what the address says beside the settings, ``drawing`` whether the form is being drawn.
    """

    settings: object
    more: dict = field(default_factory=dict)
    drawing: bool = False
    address: Address = field(default_factory=Address)
    opened: dict = field(default_factory=dict)


class Form(Widgets):
    """The settings of one page, declared in ``kind``.

    Parameters
    ----------
    page : its name, which keeps its widgets apart from those of other pages
    kind : a frozen dataclass whose fields are declared with :mod:`leasc_ui.session.fields`
    stays : settings that reset leaves alone
    """

    def __init__(self, page: str, kind: type, stays: tuple = ()):
        super().__init__(page)
        self.kind, self.stays, self.fields = kind, stays, fields_of(kind)

    @property
    def state(self) -> FormState:
        """The visitor's own, made on first use."""
        return st.session_state.setdefault(f"{self.page}_form", FormState(self.kind()))

    @property
    def settings(self):
        """What is chosen now; None stands for the usual."""
        return self.state.settings

    def put(self, settings, undo=False):
        """Choose this; the widgets follow when they are drawn next. ``undo`` keeps the way back."""
        if undo and settings != self.settings:
            current_session().keep(self.page, {self: self.settings})
        self.state.settings = settings

    def change(self, **values):
        """Choose other values for some settings."""
        self.put(replace(self.settings, **values))

    def reset(self):
        """Back to the defaults."""
        self.put(replace(self.kind(), **{name: getattr(self.settings, name) for name in self.stays}), undo=True)

    def undo(self):
        """Back to the settings before the last change."""
        current_session().undo(self.page)

    def to_address(self, settings) -> dict[str, str]:
        """What differs from the defaults, as query parameters."""
        return to_address(settings)

    def from_address(self, given):
        """The settings of an address."""
        return from_address(self.kind(), given)

    def follow_link(self):
        """Take what a link, or the browser's back and forward, asks for."""
        if given := self.state.address.follow():
            self.state.opened = {name: value for name, value in given.items() if name not in self.fields}
            self.state.settings = self.from_address(given)

    @contextmanager
    def drawing(self, more=None, follow=True):
        """Around the widgets of the page: before them a link is followed, after them the address is written.

        ``more`` is what else belongs in the address.
        """
        if follow:
            self.follow_link()
        before, self.state.drawing = self.settings, True
        try:
            yield self
        finally:
            # Also where the run is broken off, as it is by the next click: what was chosen is kept by then.
            self.state.drawing = False
            if self.settings != before:
                current_session().keep(self.page, {self: before})
        self.write_address(more or {})

    def write_address(self, more=None):
        """Put what is chosen into the page's address, with what else belongs there, or did when it was written last."""
        self.state.more = self.state.more if more is None else more
        self.state.address.write({**self.state.more, **self.to_address(self.settings)})

    def draw(self, facts=None, more=None, widgets=None, meaning=SHARED):
        """The form under a heading with undo and reset; returns what is chosen. ``widgets()`` draws it in another way."""
        top = st.container()
        with self.drawing(more):
            widgets() if widgets else self.all_fields(facts)
        with top:
            self.heading(meaning)
        return self.settings

    def heading(self, meaning=SHARED):
        """The title, undo and reset."""
        with headed("Settings"):
            undo_button(self.page, self.key("undo"), "Back to the settings before the last change.")
            reset_button(self.key("reset"), self.reset, meaning)

    def all_fields(self, facts=None, *names):
        """Draw these settings, or all that have a widget, in the order in which they are declared."""
        columns = []
        for name in names or self.fields:
            spec = self.fields[name]
            if not spec.widget or spec.when is not None and not spec.when(self.settings, facts):
                continue
            if spec.side_by_side and not columns:
                columns = list(st.columns(2, wrap=False, vertical_alignment="bottom"))
            with columns.pop(0) if columns else st.container():
                self.field(name, facts)

    def field(self, name: str, facts=None, place=st, options=None, label=None, **look):
        """Draw one setting and take what its widget says; returns its value. ``options`` are those that there are now."""
        settings, spec = self.settings, self.fields[name]
        chosen, ends = concrete(settings, name, facts), ()
        offered = spec.options if options is None else options
        if spec.widget == "ladder" and spec.usual is not None:  # what is usual, or was loaded, may lie between the steps
            offered = sorted({*offered, chosen, spec.usual(settings, facts)})
        spec = replace(spec, options=offered, label=label or spec.label)
        if spec.widget in ("slider", "number"):
            ends = spec.limits(facts) if spec.limits else (spec.options[0], spec.options[-1])
        value = min(max(type(ends[0])(chosen), ends[0]), ends[1]) if ends else chosen
        if options is not None and value not in options:
            value = next(iter(options))
        given = {"help": spec.explained(settings, facts), **spec.look, **look}
        said = self.show(name, value, lambda **default: _draw(place, spec, given | default, ends))
        if said != chosen:
            self._take(name, said, facts)
        if spec.below is not None:
            st.caption(spec.below(self.settings))
        return said

    def _take(self, name, value, facts):
        """Keep a choice: as None where it is the usual, and with what it renews at its default."""
        spec, settings = self.fields[name], replace(self.settings, **{name: value})
        if spec.usual is not None and spec.usual(settings, facts) == value:
            settings = replace(settings, **{name: None})
        fresh, before = self.kind(), self.settings
        self.state.settings = replace(settings, **{each: getattr(fresh, each) for each in spec.renews})
        if not self.state.drawing:
            self.changed_apart(before)

    def changed_apart(self, before):
        """A widget that stands elsewhere on the page, below the form, has changed a setting."""
        current_session().keep(self.page, {self: before})
        self.write_address()


class PartOfForm(Form):
    """Settings of a page that keeps address and undo of all its parts together."""

    def changed_apart(self, before):
        """The page sees to it."""


@contextmanager
def headed(title):
    """The title of a panel; what is drawn inside stands at its right."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader(title, anchor=False, width="content")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            yield


def undo_button(scope, key=None, help="", label="Undo"):
    """The way back from the last change of this kind (see :meth:`Session.keep`)."""
    session = current_session()
    given = {"key": key, "disabled": not session.can_undo(scope), "on_click": session.undo, "args": (scope,), "help": help}
    st.button(label, icon=":material/undo:", type="tertiary", **given)


def reset_button(key, reset, help, **more):
    """All settings as they were at first."""
    st.button("Reset", icon=":material/restart_alt:", type="tertiary", key=key, on_click=reset, help=help, **more)


# Of each kind of widget: what draws it, what its default is called there, and what else it takes.
WIDGETS = {
    "buttons": ("segmented_control", "default", {"required": True, "width": "stretch"}),
    "menu": ("selectbox", "index", {}),
    "ladder": ("select_slider", "value", {}),
    "slider": ("slider", "value", {}),
    "number": ("number_input", "value", {}),
    "switch": ("toggle", "value", {}),
    "text": ("text_input", "value", {}),
}


def _draw(place, spec, given, ends):
    """The widget of a setting."""
    name, default, more = WIDGETS[spec.widget]
    chooses = spec.widget in ("buttons", "menu", "ladder")
    options = tuple(spec.options) if chooses else None
    given = {**more, **({"format_func": spec.text} if chooses else {}), **given}
    if "default" in given:
        value = given.pop("default")
        given[default] = options.index(value) if default == "index" else value
    return getattr(place, name)(spec.label, *((options,) if chooses else ends), **given)
