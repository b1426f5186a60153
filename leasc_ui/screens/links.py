"""A link to a page as it is: beside its own choices it holds those of the rooms before it, so a fresh browser gets the same view.

What comes by a recipe is made again; an uploaded file is private and never in a link.
"""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.frame.strip import HOMES
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.choices import FORM as CLUSTER
from leasc_ui.screens.data.address import from_address, to_address
from leasc_ui.screens.data.state import data_state, opened, take_in
from leasc_ui.screens.page import pipeline_strip
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.representatives.settings import FORM as REPRESENTATIVES
from leasc_ui.screens.representatives.settings import choices_of
from leasc_ui.screens.train.compute import train
from leasc_ui.screens.train.settings import FORM as TRAIN
from leasc_ui.session.address import PAGE
from leasc_ui.session.pipeline import ROOMS, TrainedModel
from leasc_ui.work import core
from leasc_ui.work.queue import OUT_OF_MEMORY
from leasc_ui.work.slots import JOB

MADE, UNDER_WAY = "made", "link_under_way"
PRIVATE = (
    "This link was made from an uploaded file, which is private and not part of it. Upload the same file on Data: the settings "
    "of the link are kept."
)


def rooms_before(session, room):
    """What the address of a room's page says of the rooms before it; nothing while there are no data."""
    pipeline, loaded = session.pipeline, data_state().loaded
    if pipeline.data is None or loaded is None:
        return {}
    parts, made = {"data": to_address(loaded)}, {}
    before = ROOMS[: ROOMS.index(room)]
    chosen, model = pipeline.ready("representatives"), pipeline.ready("model")
    if "representatives" in before and chosen is not None:
        parts["representatives"] = REPRESENTATIVES.to_address(choices_of(chosen.settings, pipeline.data))
        made = {MADE: "representatives"}
    if "model" in before and model is not None:
        parts["train"], made = TRAIN.to_address(model.settings), {MADE: "model"}
    return {f"{name}.{key}": value for name, part in parts.items() for key, value in part.items()} | made


def follow(session, lead):
    """Make what a link says of earlier rooms, in a session that has nothing yet; ``lead`` says so meanwhile.

    Returns a sentence where that cannot be, else None.
    """
    given = st.session_state.get(UNDER_WAY)
    if given is None:
        given = st.query_params.to_dict()
        if session.pipeline.data is not None or "data.way" not in given:
            return None
    asked = from_address(_part(given, "data"))
    if not asked.complete:
        _keep_settings(asked, given)
        return PRIVATE
    st.session_state[UNDER_WAY] = given
    try:
        with lead, st.spinner("Making what this link shows …", show_time=True):
            core.load()
            _make(session, asked, given)
    except LeascError as refusal:
        problem = f"What this link shows cannot be made again. {refusal}"
    except MemoryError:
        problem = f"What this link shows cannot be made again. {OUT_OF_MEMORY}"
    else:
        problem = None
    # Not where the browser interrupts, as it may with a first word of its own: then the next run goes on.
    del st.session_state[UNDER_WAY]
    return problem


def data_or_invitation(session, strip, words):
    """The data of the pipeline, or of a link; where there are none, ``words`` say so, the way to them is shown, the page ends."""
    trouble = follow(session, strip)
    data = session.pipeline.ready("data")
    if data is None:
        with strip:
            pipeline_strip(session)
        with st.container(border=True, key="nothing_yet"):
            if trouble:
                st.warning(from_data(trouble), icon=":material/link_off:")
            st.markdown(words)
            st.page_link(HOMES["data"], label="Go to Data", icon=":material/arrow_forward:")
        st.stop()
    return data


def _make(session, asked, given):
    """Room after room; what an interrupted run has made already is not made again."""
    state, made = data_state(), given.get(MADE)
    if session.pipeline.data is None:
        state.put(asked)
        take_in(session, state, opened(asked), asked)
    if made in ("representatives", "model") and session.pipeline.ready("representatives") is None:
        _choose(session, REPRESENTATIVES.from_address(_part(given, "representatives")))
    if made == "model" and session.pipeline.ready("model") is None:
        _train(session, TRAIN.from_address(_part(given, "train")))


def _keep_settings(asked, given):
    """Of a link to a private file: how it was cleaned, and the choices of the rooms, for when the file is there."""
    state, rooms = data_state(), {"Representatives": REPRESENTATIVES, "Train": TRAIN}
    if state.loaded is not None or state.linked is not None:
        return
    state.linked = asked.cleaning
    for title, form in (rooms | {"Cluster": CLUSTER}).items():
        own = given if title == st.session_state.get(PAGE) else _part(given, title.lower())
        form.put(form.from_address(own))


def _choose(session, choices):
    data = session.pipeline.data
    REPRESENTATIVES.put(choices)
    with core.working(JOB):
        session.pipeline.set("representatives", choose(data, choices.settings(data)))


def _train(session, settings):
    chosen = session.pipeline.representatives
    TRAIN.put(settings)
    with core.working(JOB):
        rpcm = train(session.pipeline.data, chosen, settings, lambda event: None)
    session.pipeline.set("model", TrainedModel(chosen.fingerprint, settings, rpcm))


def _part(given, room):
    return {key.removeprefix(f"{room}."): value for key, value in given.items() if key.startswith(f"{room}.")}
