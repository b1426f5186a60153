"""What has been computed before comes back at once; shared by all visitors, keyed on the settings."""

import streamlit as st

from leasc_ui.example import ExampleSettings, choose_by_ds3, run_example


def example_of(settings: ExampleSettings):
    """The run of these settings, old or new."""
    chosen = _ds3_choice(settings.noise, settings.seed, settings.representatives) if settings.selector == "ds3" else None
    return _run(settings, chosen)


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs={ExampleSettings: repr})
def _run(settings, _chosen):
    return run_example(settings, _chosen)


@st.cache_resource(max_entries=512, show_spinner="DS3 is weighing every pair of points …")
def _ds3_choice(noise, seed, n):
    """The representatives DS3 finds, kept while everything after them changes."""
    return choose_by_ds3(noise, seed, n)
