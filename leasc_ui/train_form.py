"""The settings of a training as widgets that remember, each with a line on what it does."""

from dataclasses import replace

import streamlit as st

from leasc_ui.choices import SOLVERS, VARIANTS, Words, text
from leasc_ui.forms import default_beta, forget_beta
from leasc_ui.pipeline import TrainSettings
from leasc_ui.remembered import Remembered

WEIGHTS = tuple(float(f"{digit}e{power}") for power in range(-4, 3) for digit in (1, 2, 3, 5)) + (1000.0,)
ACTIVATIONS = {
    "relu": Words("ReLU", "ReLU", "cuts off what is negative; the paper’s choice and the quickest."),
    "tanh": Words("tanh", "tanh", "bends smoothly and treats x and −x alike."),
    "sigmoid": Words("sigmoid", "sigmoid", "bends smoothly between 0 and 1."),
    "linear": Words("linear", "linear", "bends nothing: f is then one matrix."),
}
TRAINING = {
    "final": Words("final", "Once, at the end", "f learns the finished codes."),
    "joint": Words("joint", "Jointly", "f learns while Algorithm 2 runs and gives its codes back to it."),
}
REMEMBERED = Remembered(
    "train",
    TrainSettings,
    {
        "variant": tuple(VARIANTS),
        "alpha_bar": WEIGHTS,
        "alpha": WEIGHTS,
        "beta": WEIGHTS,
        "solver": tuple(SOLVERS),
        "train": tuple(TRAINING),
        "hidden": (10, 20, 50, 100, 200, 500, 1000, 1500),
        "activation": tuple(ACTIVATIONS),
        "epochs": range(51),
        "seed": range(10_000),
    },
)
NAMES = {
    "variant": "Codes",
    "alpha_bar": "ᾱ",
    "alpha": "α",
    "beta": "β",
    "solver": "Solver",
    "train": "f learns",
    "hidden": "Hidden units",
    "activation": "Activation",
    "epochs": "Epochs at most",
    "seed": "Seed",
}


def usual(settings):
    """What stands for None: the variant's own weights."""
    return {"alpha": 1.0, "beta": default_beta(settings.variant)}


def readable(settings, name):
    """A setting in words, for a table."""
    value = getattr(settings, name)
    value = usual(settings).get(name) if value is None else value
    words = {"variant": VARIANTS, "solver": SOLVERS, "train": TRAINING, "activation": ACTIVATIONS}.get(name)
    return words[value].short if words else f"{value:g}"


def train_form(more) -> TrainSettings:
    """Draw the settings and return what is chosen now; ``more`` goes into the link."""
    chosen = REMEMBERED.form(_widgets, usual, more)
    # Joint learning lives inside Algorithm 2; the choice is remembered for when that comes back.
    return chosen if chosen.solver == "paper" else replace(chosen, train="final")


def _widgets():
    key = REMEMBERED.key
    st.selectbox(
        "Codes", tuple(VARIANTS), key=key("variant"), on_change=forget_beta, args=(REMEMBERED,),
        format_func=lambda name: VARIANTS[name].label,
        help="What makes a code cheap, and so what kind of help a point gets from the representatives.",
    )  # fmt: skip
    variant = st.session_state[key("variant")]
    st.caption(VARIANTS[variant].meaning)
    _weight("β, the price of an error", "beta",
            f"Small: points may be written badly if that keeps codes small. Large: codes must fit. "
            f"This variant’s own is {text(default_beta(variant))}.")  # fmt: skip
    _weight("ᾱ, the price of a code", "alpha_bar", "Only its ratio to β matters for the result; 1 is usual.")
    if variant == "elastic_net":
        _weight("α, the price of uneven codes", "alpha", "Larger, and representatives that are alike share the work.")
    REMEMBERED.one_of("Solver", "solver", SOLVERS)
    if st.session_state[key("solver")] == "paper":
        REMEMBERED.one_of("f learns", "train", TRAINING)
    left, right = st.columns(2, wrap=False)
    left.select_slider(
        "Hidden units", REMEMBERED.options["hidden"], key=key("hidden"),
        help="The width of f, the network that turns any point into its code: wider is more exact and slower.",
    )  # fmt: skip
    right.slider(
        "Epochs at most", 0, 50, key=key("epochs"),
        help="Passes of f over the codes; it ends when the held-out error stops falling. 0 leaves its first layer random.",
    )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    left.selectbox(
        "Activation", tuple(ACTIVATIONS), key=key("activation"), format_func=lambda name: ACTIVATIONS[name].label,
        help="\n\n".join(f"**{each.label}** {each.meaning}" for each in ACTIVATIONS.values()),
    )  # fmt: skip
    right.number_input("Seed", 0, 9_999, key=key("seed"), help="Another seed starts f from other random weights.")


def _weight(title, name, meaning):
    st.select_slider(title, WEIGHTS, key=REMEMBERED.key(name), format_func=text, help=meaning)
