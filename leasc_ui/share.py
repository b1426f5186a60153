"""A link to a page as it is: beside its own choices it holds those of the rooms before it, so a fresh browser gets the same view.

What comes by a recipe is made again; an uploaded file is private and never in a link.
"""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui import core, representatives_room, train_form
from leasc_ui.address import PAGE
from leasc_ui.cluster_line import OUT_OF_MEMORY
from leasc_ui.data_address import from_address, to_address
from leasc_ui.data_room import data_room, opened, take_in
from leasc_ui.pipeline import ROOMS, RepresentativeSettings, TrainedModel
from leasc_ui.representatives_room import RepresentativeChoices, usual_for

MADE, UNDER_WAY = "made", "link_under_way"
PRIVATE = (
    "This link was made from an uploaded file, which is private and not part of it. Upload the same file on Data: the settings "
    "of the link are kept."
)


def rooms_before(mine, room):
    """What the address of a room's page says of the rooms before it; nothing while there are no data."""
    pipeline, loaded = mine.pipeline, data_room().loaded
    if pipeline.data is None or loaded is None:
        return {}
    parts, made = {"data": to_address(loaded)}, {}
    before = ROOMS[: ROOMS.index(room)]
    chosen, model = pipeline.ready("representatives"), pipeline.ready("model")
    if "representatives" in before and chosen is not None:
        choices, made = _choices(chosen.settings, len(pipeline.data.points)), {MADE: "representatives"}
        parts["representatives"] = representatives_room.REMEMBERED.to_address(choices)
    if "model" in before and model is not None:
        parts["train"], made = train_form.REMEMBERED.to_address(model.settings), {MADE: "model"}
    return {f"{name}.{key}": value for name, part in parts.items() for key, value in part.items()} | made


def follow(mine, lead):
    """Make what a link says of earlier rooms, in a session that has nothing yet; ``lead`` says so meanwhile.

    Returns a sentence where that cannot be, else None.
    """
    given = st.session_state.get(UNDER_WAY)
    if given is None:
        given = st.query_params.to_dict()
        if mine.pipeline.data is not None or "data.way" not in given:
            return None
    asked = from_address(_part(given, "data"))
    if not asked.complete:
        _keep_settings(asked, given)
        return PRIVATE
    st.session_state[UNDER_WAY] = given
    try:
        with lead, st.spinner("Making what this link shows …", show_time=True):
            core.load()
            _make(mine, asked, given)
    except LeascError as refusal:
        problem = f"What this link shows cannot be made again. {refusal}"
    except MemoryError:
        problem = f"What this link shows cannot be made again. {OUT_OF_MEMORY}"
    else:
        problem = None
    # Not where the browser interrupts, as it may with a first word of its own: then the next run goes on.
    del st.session_state[UNDER_WAY]
    return problem


def _make(mine, asked, given):
    """Room after room; what an interrupted run has made already is not made again."""
    here, made = data_room(), given.get(MADE)
    if mine.pipeline.data is None:
        here.put(asked)
        take_in(mine, here, opened(asked), asked)
    if made in ("representatives", "model") and mine.pipeline.ready("representatives") is None:
        _choose(mine, representatives_room.REMEMBERED.from_address(_part(given, "representatives")))
    if made == "model" and mine.pipeline.ready("model") is None:
        _train(mine, train_form.REMEMBERED.from_address(_part(given, "train")))


def _keep_settings(asked, given):
    """Of a link to a private file: how it was cleaned, and the choices of the rooms, for when the file is there."""
    from leasc_ui.cluster_room import REMEMBERED as CLUSTER

    here, rooms = data_room(), {"Representatives": representatives_room.REMEMBERED, "Train": train_form.REMEMBERED}
    if here.loaded is not None or here.linked is not None:
        return
    here.linked = asked.cleaning
    for title, form in (rooms | {"Cluster": CLUSTER}).items():
        own = given if title == st.session_state.get(PAGE) else _part(given, title.lower())
        form.kept.settings = form.from_address(own)


def _choose(mine, choices):
    from leasc_ui.representatives_work import choose

    data = mine.pipeline.data
    usual = usual_for(len(data.points))
    representatives_room.REMEMBERED.put(choices, usual)
    count = min(choices.count or usual(choices)["count"], len(data.points))
    with core.single_thread():
        mine.pipeline.representatives = choose(data, RepresentativeSettings(choices.selector, count, choices.seed))


def _train(mine, settings):
    from leasc_ui.train_work import train

    chosen = mine.pipeline.representatives
    train_form.REMEMBERED.put(settings, train_form.usual)
    with core.single_thread():
        rpcm = train(mine.pipeline.data, chosen, settings, lambda event: None)
    mine.pipeline.model = TrainedModel(chosen.fingerprint, settings, rpcm)


def _choices(settings, points):
    """A choice of representatives as the page remembers it: the usual number is not told."""
    usual = usual_for(points)(settings)["count"]
    return RepresentativeChoices(settings.selector, None if settings.count == usual else settings.count, settings.seed)


def _part(given, room):
    return {key.removeprefix(f"{room}."): value for key, value in given.items() if key.startswith(f"{room}.")}
