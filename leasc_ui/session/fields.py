"""How a setting is declared, once: its type, default, limits, label and help in the dataclass that holds it.

Widgets, address, undo, reset, tables of settings, the exported script and the parameters of the estimator follow from that::

    @dataclass(frozen=True)
    class TrainSettings:
        hidden: int = ladder(500, "Hidden units", (10, 100, 500), help="The width of f.")
        beta: float | None = ladder(None, "β", WEIGHTS, usual=lambda settings, facts: default_beta(settings.variant))

None stands for the usual value, which ``usual(settings, facts)`` gives; ``facts`` is what a page tells of its data.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Words:
    """How a choice is called in a sentence, in a list, and what it does."""

    short: str
    label: str
    meaning: str


@dataclass(frozen=True)
class Field:
    """One setting.

    Attributes
    ----------
    widget : "buttons", "menu", "ladder", "slider", "number", "switch" or "text"; empty where a page draws it in its own way
    label, help : what stands at the widget; ``help`` may be a function of ``(settings, facts)``
    options : the values it may take, a range for numbers, or option → :class:`Words` (or text)
    usual : ``usual(settings, facts)`` is the value that None stands for
    limits : ``limits(facts)`` → (lowest, highest) among the options for these data
    when : ``when(settings, facts)`` tells whether it is shown
    renews : settings that go back to their defaults when this one is changed
    parse : turns text of an address into a value, or raises ValueError; for settings without a list of options
    below : ``below(settings)`` stands under the widget
    name : what it is called in a table
    side_by_side : whether it shares a row with the next one
    parameter : its name in the estimator; empty where it has none
    look : further arguments of the widget
    """

    widget: str = ""
    label: str = ""
    options: Any = ()
    help: str | Callable = ""
    usual: Callable | None = None
    limits: Callable | None = None
    when: Callable | None = None
    renews: tuple = ()
    parse: Callable | None = None
    below: Callable | None = None
    name: str = ""
    side_by_side: bool = False
    parameter: str | None = None
    look: dict = dataclasses.field(default_factory=dict)

    def text(self, value) -> str:
        """A value as it stands in a menu or a table."""
        words = self.options.get(value, value) if isinstance(self.options, dict) else value
        return words.label if isinstance(words, Words) else text(words)

    def short(self, value) -> str:
        """A value as it stands in a table."""
        words = self.options.get(value, value) if isinstance(self.options, dict) else value
        return words.short if isinstance(words, Words) else text(words)

    def explained(self, settings, facts) -> str | None:
        """The help: what was written, else what each option does."""
        if self.help:
            return self.help(settings, facts) if callable(self.help) else self.help
        words = self.options.values() if isinstance(self.options, dict) else ()
        return "\n\n".join(f"**{each.label}** {each.meaning}" for each in words if isinstance(each, Words)) or None

    def read(self, words: str):
        """The value of a text in an address; ValueError where it is none."""
        if self.parse is not None:
            return self.parse(words)
        if self.widget in ("slider", "number"):
            value = type(self.options[0])(words)
            inside = value in self.options if isinstance(self.options, range) else self.options[0] <= value <= self.options[-1]
            if not inside:
                raise ValueError(words)
            return value
        for option in self.options:
            if words in (text(option), str(option)):
                return option
        raise ValueError(words)


def declare(widget="", default=None, label="", options=(), **more):
    """A dataclass field that declares a setting; the named kinds below say what draws it."""
    return dataclasses.field(default=default, metadata={"setting": Field(widget, label, options, **more)})


def buttons(default, label, options, **more):
    """One of a few, all in sight."""
    return declare("buttons", default, label, options, **more)


def menu(default, label, options, **more):
    """One of a list."""
    return declare("menu", default, label, options, **more)


def ladder(default, label, options, **more):
    """One of an ordered list, as a slider."""
    return declare("ladder", default, label, options, **more)


def slider(default, label, options, **more):
    """A number between two ends."""
    return declare("slider", default, label, options, **more)


def number(default, label, options, **more):
    """A whole number to type."""
    return declare("number", default, label, options, **more)


def switch(default, label, **more):
    """Yes or no."""
    return declare("switch", default, label, (False, True), **more)


def words(default, label, parse, **more):
    """Text to type."""
    return declare("text", default, label, parse=parse, **more)


def hidden(default, options=(), **more):
    """A setting that its page draws in its own way."""
    return declare("", default, "", options, **more)


def fields_of(kind) -> dict[str, Field]:
    """The declared settings of a dataclass (or of one of its objects), in order."""
    return {each.name: each.metadata["setting"] for each in dataclasses.fields(kind) if "setting" in each.metadata}


def concrete(settings, name: str, facts=None):
    """The value of a setting, with the usual one in place of None."""
    value, usual = getattr(settings, name), fields_of(settings)[name].usual
    return usual(settings, facts) if value is None and usual is not None else value


def filled(settings, facts=None):
    """The settings with the usual values in place of None."""
    return dataclasses.replace(settings, **{name: concrete(settings, name, facts) for name in fields_of(settings)})


def parameters(settings) -> dict:
    """The settings as an estimator takes them, under its names; those left at None are left out, as the estimator's own."""
    values = ((field.parameter or name, getattr(settings, name)) for name, field in fields_of(settings).items())
    return {name: value for name, value in values if name and value is not None}


def to_address(settings, base=None, prefix="") -> dict[str, str]:
    """What differs from the defaults (or from ``base``), as query parameters."""
    base = type(settings)() if base is None else base
    values = ((name, getattr(settings, name)) for name in fields_of(settings))
    return {prefix + name: text(value) for name, value in values if value != getattr(base, name)}


def from_address(base, given, prefix=""):
    """``base`` with the settings of an address; what is missing, unknown or out of range stays as it is, as in a stale link."""
    found = {}
    for name, field in fields_of(base).items():
        if prefix + name in given:
            try:
                found[name] = field.read(given[prefix + name])
            except ValueError:
                continue
    return dataclasses.replace(base, **found)


def text(value) -> str:
    """A value as it stands in the address."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
