"""The three ways to data as widgets: sliders that make points, cards of sample sets, a file; and the cleaning after it."""

from dataclasses import replace

import streamlit as st

from leasc_core.data.synthetic.presets import PRESETS
from leasc_ui.data.choices import SAMPLES, WAYS, Cleaning, DataChoices, FileChoice, of_preset, of_sample
from leasc_ui.screens.data.address import from_address, to_address
from leasc_ui.screens.data.file_form import file_form
from leasc_ui.screens.data.state import CLEAN, MAKE, SCOPE, WIDGETS, DataState
from leasc_ui.session.form import headed, reset_button, undo_button

LOOK = "look_closer"


def looks_of(data):
    """The closer looks that these data have something for."""
    return ["table", "features", *(["solid"] if data.points.shape[1] > 2 else []), *(["pictures"] if data.image_shape else [])]


def first_look(data):
    """The one that is shown unless another is asked for."""
    return "pictures" if data.image_shape else "table"


def follow_address(state: DataState):
    """Follow a link, and the browser's back and forward."""
    if given := state.address.follow():
        st.session_state[LOOK] = given.get("look")
        asked = from_address(given)
        if asked.way == "file" and not asked.file.path:
            # An upload is never in an address: going back to it brings the last one.
            last = state.uploaded or state.choices
            asked = replace(last, way="file", cleaning=asked.cleaning if state.uploaded else last.cleaning)
        state.put(asked, take=asked.complete)


def write_address(state: DataState, data):
    """Put the choices, and what is looked at closer, into the address, so that copying it shares the view."""
    address, look = to_address(state.choices), st.session_state.get(LOOK)
    if data is not None and look in looks_of(data) and look != first_look(data):
        address["look"] = look
    state.address.write(address)


def heading(state):
    """The title of the panel, with undo and reset."""
    with headed("Source"):
        undo_button(SCOPE, help="Back to the data before the last change. What was made from them is ready again.")
        reset_button(
            None,
            lambda: state.put(_at_first(state.choices)),
            "All settings of this page as they were. Its address holds your choices: share it to share the view.",
            disabled=state.choices.way is None,
        )


def source_form(state: DataState):
    """The three ways in; returns nothing, ``room.choices`` says what is chosen."""
    words = {"format_func": WAYS.get, "width": "stretch", "label_visibility": "collapsed"}
    way = WIDGETS.show(
        "way", state.choices.way, lambda **given: st.segmented_control("How to get data", tuple(WAYS), **words, **given)
    )
    state.choices = replace(state.choices, way=way)
    if way == "make":
        _make_form(state)
    elif way == "sample":
        sample_cards(state)
    elif way == "file":
        file_form(state)


def sample_cards(state):
    """A button a sample set, with what it shows."""
    loaded = state.loaded.sample if state.loaded is not None and state.loaded.way == "sample" else None
    for name in SAMPLES:
        card(
            name,
            f"data_sample_{name}",
            loaded == name or state.take and state.choices.sample == name,
            on_click=state.put,
            args=(of_sample(name),),
        )


def card(name, key, chosen=False, **click):
    """One sample set as a button."""
    sample = SAMPLES[name]
    words = f"**{sample.title}** {sample.story} *{sample.facts}*"
    return st.button(words, icon=sample.icon, key=key, width="stretch", type="primary" if chosen else "secondary", **click)


def invitation(state):
    """What stands where no data are yet: one click away from some."""
    st.subheader("Nothing here yet", anchor=False)
    st.markdown("Open one of these, **make points** and watch them follow the sliders, or bring **your file**.")
    names = [name for name in SAMPLES if name != "corrupted"]
    for pair in (names[at : at + 2] for at in range(0, len(names), 2)):
        for column, name in zip(st.columns(2), pair, strict=False):
            with column:
                card(name, f"data_invite_{name}", on_click=state.put, args=(of_sample(name),))


def cleaning_form(state, found):
    """What is done to the rows before the next room; only what these data have a use for is offered."""
    CLEAN.all_fields(found)
    state.choices = replace(state.choices, cleaning=CLEAN.settings)


def _make_form(state):
    before = MAKE.settings.preset
    preset = MAKE.field("preset")
    if preset != before:
        MAKE.put(of_preset(preset, MAKE.settings.seed))
    st.caption(PRESETS[preset].lesson)
    if state.loaded is not None and state.loaded.way != "make":
        st.button(
            "Make these points",
            type="primary",
            icon=":material/auto_awesome:",
            on_click=_take,
            args=(state,),
            width="stretch",
            help="They take the place of the data that are loaded; undo brings those back.",
        )
    MAKE.all_fields(None, *(name for name in MAKE.fields if name != "preset"))
    state.choices = replace(state.choices, making=MAKE.settings)


def _take(state):
    state.put(replace(state.choices, cleaning=Cleaning()))


def _at_first(choices):
    """The defaults of the way that is chosen."""
    if choices.way == "sample" and choices.sample:
        return of_sample(choices.sample)
    file = FileChoice(path=choices.file.path, root=choices.file.root)
    return DataChoices(way=choices.way, making=of_preset(choices.making.preset), file=file, cleaning=Cleaning())
