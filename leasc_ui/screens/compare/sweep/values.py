"""What may be swept and how it is written: the axes, their values, and the settings around them. Nothing is drawn here."""

from dataclasses import dataclass

from leasc_core.bench import PAPER_WEIGHTS
from leasc_core.errors import ParameterError
from leasc_ui.screens.representatives.compute import MOST
from leasc_ui.screens.train.settings import WEIGHTS
from leasc_ui.session.choices import SELECTORS, VARIANTS
from leasc_ui.session.fields import text

NOTHING = "nothing"
MOST_VALUES = 20
COARSE_WEIGHTS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0)
COUNTS = (20, 50, 100, 200, 500)
COLOURS = {
    "acc": "ACC",
    "nmi": "NMI",
    "ari": "ARI",
    "stability": "Stability",
    "eigengap": "Eigengap",
    "code_error": "Code error",
    "seconds": "Seconds",
}


@dataclass(frozen=True)
class Axis:
    """A parameter of LeaSC as an axis: its names, the values it starts with, and how a word becomes a value."""

    title: str
    short: str
    usual: tuple
    options: tuple | range
    limits: str


TIMES = "1, 2, 3 or 5 times a power of ten, from 0.0001 to 1000"
AXES = {
    "beta": Axis("β, the price of an error", "β", COARSE_WEIGHTS, WEIGHTS, TIMES),
    "alpha": Axis("α, the price of uneven codes", "α", COARSE_WEIGHTS, WEIGHTS, TIMES),
    "alpha_bar": Axis("ᾱ, the price of a code", "ᾱ", COARSE_WEIGHTS, WEIGHTS, TIMES),
    "n_representatives": Axis(
        "Number of representatives", "representatives", COUNTS, range(2, MOST + 1), f"whole numbers from 2 to {MOST:,}"
    ),
    "variant": Axis("Codes", "codes", tuple(VARIANTS), tuple(VARIANTS), ", ".join(VARIANTS)),
    "selector": Axis("Selector", "selector", ("random", "kmeans"), tuple(SELECTORS), ", ".join(SELECTORS)),
    "epochs": Axis("Epochs at most", "epochs", (0, 1, 2, 5, 10), range(51), "whole numbers from 0 to 50"),
    "n_clusters": Axis("Number of clusters", "clusters", (2, 3, 4, 5, 6, 8, 10), range(2, 1001), "whole numbers from 2 to 1,000"),
}


WEIGHTED = {"alpha", "beta", "alpha_bar"}


def usual_values(name, points):
    """The values an axis starts with, as text; of representatives only so many as there are points."""
    if name == NOTHING:
        return ""
    usual = AXES[name].usual
    return written([value for value in usual if value < points] if name == "n_representatives" else usual)


def paper_values():
    """The paper's grid of Fig. 7, as text."""
    return written(PAPER_WEIGHTS)


def written(values):
    return ", ".join(text(value) for value in values)


def parsed(name, words):
    """The values of an axis from text; a :class:`ParameterError` says which word is none, and what may stand there."""
    axis, values = AXES[name], []
    for word in (part.strip() for part in str(words).replace(";", ",").split(",")):
        if word:
            values.append(_value(axis, word))
    values = list(dict.fromkeys(values))
    if not 1 <= len(values) <= MOST_VALUES:
        raise ParameterError(f"{axis.title} has {len(values)} values; give from 1 to {MOST_VALUES}, with commas between them.")
    return values


def cell_words(cell):
    """A cell in words: α = 1, β = 10."""
    return ", ".join(f"{AXES[name].short} = {text(value)}" for name, value in cell.items())


def axes_of(chosen):
    """``{parameter: values}`` of the choices: down first, then across."""
    names = [name for name in (chosen.down, chosen.across) if name != NOTHING]
    if len(set(names)) < len(names):
        raise ParameterError(f"{AXES[names[0]].title} stands on both axes; choose two different ones, or nothing down.")
    words = {chosen.down: chosen.down_values, chosen.across: chosen.across_values}
    return {name: parsed(name, words[name]) for name in names}


def _value(axis, word):
    """The option that a word means."""
    if isinstance(axis.options[0], str):
        value = word
    else:
        try:
            value = float(word)
        except ValueError:
            value = None
    if value not in axis.options:
        raise ParameterError(f"{word!r} is no value for {axis.title}; give {axis.limits}.")
    return axis.options[axis.options.index(value)]
