"""Pinned runs: keep one under a name, and see two side by side with what differs."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.codes import picture_url, shared_limit
from leasc_ui.charts.training import runs_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.words import from_data
from leasc_ui.screens.train.settings import in_words
from leasc_ui.session.choices import SELECTORS


def show_pin_button(state, name, record, chosen, rpcm):
    """A name and a button; the same name replaces the older pin."""
    # A new key after each pin, so that the popover closes.
    with st.popover("Pin this run", icon=":material/push_pin:", key=f"pinning_{state.pinned}"):
        given = st.text_input("Name", name, max_chars=40, key=f"pin_name_{name}")
        if st.button("Pin", type="primary", key="pin", disabled=not given.strip()):
            state.pin(given.strip(), record, chosen, rpcm)
            st.rerun()


def show_pins(state):
    """The comparison, once there are two to compare."""
    if not state.pins:
        return
    st.subheader("Pinned runs", anchor=False)
    names = list(state.pins)
    if len(names) < 2:
        st.caption(f"“{from_data(names[0])}” is pinned. Pin a second run, with other settings, to see the two side by side.")
        return
    for key, usual in (("pin_left", names[-2]), ("pin_right", names[-1])):
        if st.session_state.get(key) not in names:
            st.session_state[key] = usual
    left, right = st.columns(2, gap="medium")
    chosen = [
        state.pins[column.selectbox(label, names, key=key)]
        for column, label, key in ((left, "One run", "pin_left"), (right, "Another", "pin_right"))
    ]
    limit = shared_limit(*(pin.record.pictures[-1].codes.astype(np.float64).ravel() for pin in chosen))
    for column, pin, key in zip((left, right), chosen, ("pinned_left", "pinned_right"), strict=True):
        with column.container(key=key):
            url = picture_url(pin.record.pictures[-1].codes.astype(np.float64), limit)
            st.image(url, width="stretch", alt=f"Matrix picture of the codes of a pinned run, {pin.name}.")
    with left:
        _show_curves(chosen)
    with right:
        st.dataframe(difference(*chosen), hide_index=True, height="content", key="difference")


def _show_curves(pins):
    histories = {pin.name: pin.record.iterations for pin in pins if pin.record.iterations}
    if histories:
        show(runs_chart(histories), "pinned_curves")
    else:
        st.caption("Both have their codes in closed form, so there are no curves to compare.")


def difference(one, other):
    """What was set differently, then how both ended: a table with a row for each."""
    left, right = in_words(one.settings), in_words(other.settings)
    rows = [(name, left[name], right[name]) for name in left if left[name] != right[name]]
    for name, tell in CHOICES.items():
        pair = tell(one.chosen), tell(other.chosen)
        if pair[0] != pair[1]:
            rows.append((name, *pair))
    if not rows:
        rows.append(("Settings", "the same", "the same"))
    both = [*one.numbers, *(name for name in other.numbers if name not in one.numbers)]
    rows += [(name, one.numbers.get(name, "–"), other.numbers.get(name, "–")) for name in both]
    second = other.name if other.name != one.name else f"{other.name} "
    return pd.DataFrame(rows, columns=["", one.name, second])


CHOICES = {
    "Representatives": lambda chosen: f"{chosen.count:,}",
    "… chosen": lambda chosen: SELECTORS[chosen.selector].short,
    "… with seed": lambda chosen: f"{chosen.seed}",
}
