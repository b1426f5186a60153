"""The settings of the 800-point example as widgets that remember, each with a line on what it does."""

import streamlit as st

from leasc_ui.choices import OPTIONS, SELECTORS, SOLVERS, VARIANTS, text
from leasc_ui.example import FIND, ExampleSettings
from leasc_ui.remembered import Remembered

REMEMBERED = Remembered("example", ExampleSettings, OPTIONS)
MEANING = "Back to the paper’s example. The address of this page holds your choices: share it to share the view."


def example_form() -> ExampleSettings:
    """Draw the settings and return what is chosen now."""
    return REMEMBERED.form(_widgets, usual, meaning=MEANING)


def usual(settings):
    """What stands for None: the variant's own β."""
    return {"beta": default_beta(settings.variant)}


def _widgets():
    key = REMEMBERED.key
    REMEMBERED.one_of("Representatives", "selector", SELECTORS)
    representatives = OPTIONS["representatives"]
    st.slider(
        "Number of representatives", representatives[0], representatives[-1], step=4, key=key("representatives"),
        help="Only these are solved for; f gives codes to all the others. The paper’s selector found 88.",
    )  # fmt: skip
    st.selectbox(
        "Codes", OPTIONS["variant"], key=key("variant"), on_change=forget_beta, args=(REMEMBERED,),
        format_func=lambda name: VARIANTS[name].label,
        help="What makes a code cheap, and so what kind of help a point gets from the representatives.",
    )  # fmt: skip
    variant = st.session_state[key("variant")]
    st.caption(VARIANTS[variant].meaning)
    st.select_slider(
        "β, the price of an error", OPTIONS["beta"], key=key("beta"), format_func=text,
        help=f"Small: a point may be written badly if that keeps its code small. Large: codes must fit. "
        f"The default here is {text(default_beta(variant))}.",
    )  # fmt: skip
    REMEMBERED.one_of("Solver", "solver", SOLVERS)
    left, right = st.columns(2, wrap=False)
    left.select_slider(
        "Hidden units", OPTIONS["hidden"], key=key("hidden"), help="The width of f, the network that turns a point into its code."
    )
    right.select_slider(
        "Noise", OPTIONS["noise"], key=key("noise"), format_func=lambda value: f"{value:g} ×",
        help="Around the rays: 1 × is the paper’s example, 0 × puts every point on its ray.",
    )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    left.selectbox(
        "Clusters", OPTIONS["clusters"], key=key("clusters"), format_func=text,
        help=f"How many to look for; “{FIND}” counts them by the gap in the spectrum.",
    )  # fmt: skip
    right.number_input(
        "Seed", 0, OPTIONS["seed"][-1], key=key("seed"), help="Another seed draws other points and other representatives."
    )


def default_beta(variant):
    """The variant's own β, from the core."""
    from leasc_core.coding.problem import DEFAULT_BETA

    return DEFAULT_BETA[variant]


def forget_beta(remembered):
    """β means something else in every variant, so a new variant starts from its own default; for a callback."""
    st.session_state[remembered.key("beta")] = default_beta(st.session_state[remembered.key("variant")])
