"""The settings of the 800-point example as widgets that remember: in the session, and in the page's address."""

from dataclasses import fields

import streamlit as st

from leasc_ui.choices import OPTIONS, SELECTORS, SOLVERS, VARIANTS, from_address, text, to_address
from leasc_ui.example import FIND, ExampleSettings


def example_form(session) -> ExampleSettings:
    """Draw the settings, from the address or the session, and return what is chosen now."""
    _read_address(session)
    for name in OPTIONS:
        st.session_state.setdefault(name, _widget_value(session.example, name))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Settings", anchor=False, width="content")
        st.button(
            "Reset", icon=":material/restart_alt:", type="tertiary", on_click=_put, args=(session, ExampleSettings()),
            help="Back to the paper’s example. The address of this page holds your choices: share it to share the view.",
        )  # fmt: skip
    _widgets()
    session.example = _chosen()
    _write_address(session)
    return session.example


def _widgets():
    """One widget a setting; the values are in the session under the settings' names."""
    _one_of("Representatives", "selector", SELECTORS)
    representatives = OPTIONS["representatives"]
    st.slider(
        "Number of representatives", representatives[0], representatives[-1], step=4, key="representatives",
        help="Only these are solved for; f gives codes to all the others. The paper’s selector found 88.",
    )  # fmt: skip
    st.selectbox(
        "Codes", OPTIONS["variant"], key="variant", on_change=_forget_beta, format_func=lambda name: VARIANTS[name].label,
        help="What makes a code cheap, and so what kind of help a point gets from the representatives.",
    )  # fmt: skip
    variant = st.session_state["variant"]
    st.caption(VARIANTS[variant].meaning)
    st.select_slider(
        "β, the price of an error", OPTIONS["beta"], key="beta", format_func=text,
        help=f"Small: a point may be written badly if that keeps its code small. Large: codes must fit. "
        f"The default here is {text(default_beta(variant))}.",
    )  # fmt: skip
    _one_of("Solver", "solver", SOLVERS)
    left, right = st.columns(2, wrap=False)
    left.select_slider(
        "Hidden units", OPTIONS["hidden"], key="hidden", help="The width of f, the network that turns a point into its code."
    )
    right.select_slider(
        "Noise", OPTIONS["noise"], key="noise", format_func=lambda value: f"{value:g} ×",
        help="Around the rays: 1 × is the paper’s example, 0 × puts every point on its ray.",
    )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    left.selectbox(
        "Clusters", OPTIONS["clusters"], key="clusters", format_func=text,
        help=f"How many to look for; “{FIND}” counts them by the gap in the spectrum.",
    )  # fmt: skip
    right.number_input(
        "Seed", 0, OPTIONS["seed"][-1], key="seed", help="Another seed draws other points and other representatives."
    )


def _one_of(title, name, words):
    st.segmented_control(
        title, OPTIONS[name], required=True, key=name, width="stretch", format_func=lambda option: words[option].label,
        help="\n\n".join(f"**{each.label}** {each.meaning}" for each in words.values()),
    )  # fmt: skip


def default_beta(variant):
    """The variant's own β, from the core."""
    from leasc_core.coding.problem import DEFAULT_BETA

    return DEFAULT_BETA[variant]


def _forget_beta():
    """β means something else in every variant, so a new variant starts from its own default."""
    st.session_state["beta"] = default_beta(st.session_state["variant"])


def _widget_value(settings, name):
    value = getattr(settings, name)
    return default_beta(settings.variant) if name == "beta" and value is None else value


def _chosen():
    values = {name: st.session_state[name] for name in OPTIONS}
    if values["beta"] == default_beta(values["variant"]):
        values["beta"] = None
    return ExampleSettings(**values)


def _put(session, settings):
    """Set every widget; only before they are drawn, so from a callback or at the top of the form."""
    session.example = settings
    for each in fields(settings):
        st.session_state[each.name] = _widget_value(settings, each.name)


def _read_address(session):
    """Follow a link, and the browser's back and forward: an address that we did not write ourselves."""
    given = st.query_params.to_dict()
    if given and given != session.address:
        _put(session, from_address(given))


def _write_address(session):
    session.address = to_address(session.example)
    if st.query_params.to_dict() != session.address:
        st.query_params.from_dict(session.address)
