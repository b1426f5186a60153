"""The choices of a page as widgets that remember: in the session, and in the page's address."""

from dataclasses import dataclass, field, fields, replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from leasc_ui.address import Address, visit
from leasc_ui.choices import text
from leasc_ui.heard import seed

MOST_STEPS_BACK = 30
SHARED = "Back to the defaults. The address of this page holds your choices: share it to share the view."


@dataclass
class Kept:
    """What is chosen now and was before, what was usual then, the page's address, what else a link said, and in which visit
    its widgets were drawn."""

    settings: object
    usual: dict = field(default_factory=dict)
    address: Address = field(default_factory=Address)
    before: list = field(default_factory=list)
    opened: dict = field(default_factory=dict)
    drawn_in: int | None = None


class Remembered:
    """The settings of one page.

    Parameters
    ----------
    page : str
        Its name, which keeps its widgets apart from those of other pages.
    kind : type
        A frozen dataclass with a default for every field; None stands for "the usual", which :meth:`draw` is told.
    options : dict
        The values each field may take, by name; what an address says beyond these is ignored.
    later : collection of str
        The fields whose widgets are drawn after :meth:`draw`.
    """

    def __init__(self, page, kind, options, later=()):
        self.page, self.kind, self.options, self.later = page, kind, options, later

    def key(self, name):
        """The key of a setting's widget."""
        return f"{self.page}_{name}"

    @property
    def kept(self) -> Kept:
        return st.session_state.setdefault(f"{self.page}_kept", Kept(self.kind()))

    def form(self, widgets, usual=lambda settings: {}, more=None, meaning=SHARED):
        """:meth:`draw` under a heading with undo and reset."""
        top = st.container()
        chosen = self.draw(widgets, usual, more)
        with top, st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.subheader("Settings", anchor=False, width="content")
            with st.container(horizontal=True, width="content", gap="xsmall"):
                st.button("Undo", icon=":material/undo:", type="tertiary", key=self.key("undo"), disabled=not self.kept.before,
                          on_click=self.undo, args=(usual,), help="Back to the settings before the last change.")  # fmt: skip
                st.button("Reset", icon=":material/restart_alt:", type="tertiary", key=self.key("reset"), on_click=self.reset,
                          args=(usual,), help=meaning)  # fmt: skip
        return chosen

    def draw(self, widgets, usual=lambda settings: {}, more=None):
        """Call ``widgets()``, which draws them under :meth:`key`, and return what is chosen.

        ``usual(settings)`` gives the value of every setting that is None; ``more`` is what else belongs in the address.
        """
        self._follow_link(usual)
        self._show_kept(usual)
        self._follow_usual(usual(self.kept.settings))
        widgets()
        self._keep(self._chosen(usual))
        self._hold_hidden(usual)
        self.kept.usual = usual(self.kept.settings)
        self.kept.address.write({**(more or {}), **self.to_address(self.kept.settings)})
        return self.kept.settings

    def one_of(self, title, name, words):
        """A row of buttons for a setting, whose help tells what each does; ``words`` has a :class:`Words` for each option."""
        st.segmented_control(
            title, tuple(words), required=True, key=self.key(name), width="stretch",
            format_func=lambda option: words[option].label,
            help="\n\n".join(f"**{each.label}** {each.meaning}" for each in words.values()),
        )  # fmt: skip

    def put(self, settings, usual=lambda settings: {}):
        """Set every widget; only before they are drawn, so from a callback or at the top of the page."""
        self.kept.settings = settings
        for name in self.options:
            st.session_state[self.key(name)] = _concrete(settings, name, usual)

    def reset(self, usual=lambda settings: {}):
        """Back to the defaults."""
        self._keep(self.kind())
        self.put(self.kind(), usual)

    def undo(self, usual=lambda settings: {}):
        """Back to the settings before the last change."""
        if self.kept.before:
            self.put(self.kept.before.pop(), usual)

    def to_address(self, settings):
        """What differs from the default, as query parameters."""
        values = {each.name: getattr(settings, each.name) for each in fields(settings)}
        return {each.name: text(values[each.name]) for each in fields(settings) if values[each.name] != each.default}

    def from_address(self, parameters):
        """The settings of an address; what is missing, unknown or out of range takes its default, as in a stale link."""
        known = {name: {text(option): option for option in options} for name, options in self.options.items()}
        return self.kind(**{name: known[name][value] for name, value in parameters.items() if value in known.get(name, ())})

    def _follow_link(self, usual):
        """Take what an address asks for: a link, or the browser's back and forward."""
        if given := self.kept.address.follow():
            self.kept.opened = {name: value for name, value in given.items() if name not in self.options}
            self.put(self.from_address(given), usual)

    def _show_kept(self, usual):
        """What is kept, for every widget that has no value yet; all of them when the page is entered.

        Streamlit forgets a widget when its page is left, and what then lies under its key may be older than what is kept.
        """
        entered, self.kept.drawn_in = self.kept.drawn_in != visit(), visit()
        for name in self.options:
            if entered or st.session_state.get(self.key(name)) is None:
                st.session_state[self.key(name)] = _concrete(self.kept.settings, name, usual)
            else:
                seed(self.key(name), None)

    def _hold_hidden(self, usual):
        """The same for widgets that are not drawn now, and so forgotten as well: they come back as they were."""
        drawn = get_script_run_ctx().shared.widget_user_keys_this_run
        for name in self.options:
            if name not in self.later and self.key(name) not in drawn:
                st.session_state[self.key(name)] = _concrete(self.kept.settings, name, usual)

    def within(self, name, low, high):
        """Before a widget is drawn: move its value into its limits, and leave it alone where it is inside."""
        value = st.session_state[self.key(name)]
        if not low <= value <= high:
            st.session_state[self.key(name)] = min(max(low, value), high)

    def _keep(self, settings):
        if settings != self.kept.settings:
            self.kept.before = [*self.kept.before, self.kept.settings][-MOST_STEPS_BACK:]
            self.kept.settings = settings

    def _follow_usual(self, now):
        """What was left at the usual stays there when something else, such as other data, has become usual."""
        for name, value in now.items():
            if getattr(self.kept.settings, name) is None and st.session_state[self.key(name)] == self.kept.usual.get(name):
                st.session_state[self.key(name)] = value

    def _chosen(self, usual):
        old = self.kept.settings
        values = {name: st.session_state.get(self.key(name), getattr(old, name)) for name in self.options}
        settings = self.kind(**values)
        ordinary = usual(settings)
        return replace(settings, **{name: None for name, value in ordinary.items() if getattr(settings, name) == value})


def _concrete(settings, name, usual):
    value = getattr(settings, name)
    return usual(settings).get(name) if value is None else value
