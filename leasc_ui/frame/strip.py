"""The strip on every page: data · representatives · model · clusters, how each stands, and the way to its page."""

from html import escape

import numpy as np
import streamlit as st

from leasc_ui.frame.page import exists
from leasc_ui.session.choices import SELECTORS, VARIANTS
from leasc_ui.session.pipeline import ROOMS
from leasc_ui.session.state import STAGES, Stage

HOMES = {
    "data": "pages/2_Data.py",
    "representatives": "pages/3_Representatives.py",
    "model": "pages/4_Train.py",
    "clusters": "pages/5_Cluster.py",
}
MEANINGS = {
    "missing": "Nothing here yet.",
    "running": "Being computed now.",
    "paused": "Paused; go on with it on its page.",
    "ready": "Ready.",
    "stale": "Made from something that has changed since; make it again before you use it.",
}


def stages_of(pipeline, running=None, paused=False):
    """What the strip says of each room; ``running`` names the one that is being computed, unless that is ``paused``."""
    rooms = zip(ROOMS, STAGES, strict=True)
    return tuple(_stage(pipeline, room, title, purpose, running, paused) for room, (title, purpose) in rooms)


def pipeline_strip(session, running=None):
    """Draw the strip; every room is a link to its page. What ended since is taken in, what goes on is shown."""
    under_way = session.collect()
    running = running or under_way
    stages = stages_of(session.pipeline, running, running in session.work and session.work[running].paused)
    with st.container(key="rooms", horizontal=True, gap="small"):
        for room, stage in zip(ROOMS, stages, strict=True):
            with st.container(key=f"room_{room}_{stage.status}", gap=None):
                _door(HOMES[room], stage)


def _door(page, stage):
    if exists(page):
        st.page_link(page, label=f"**{stage.title}** {stage.fact}", help=MEANINGS[stage.status], width="stretch")
    else:
        st.html(f'<p class="room"><b>{escape(stage.title)}</b> {escape(stage.fact)}</p>')


def _stage(pipeline, room, title, purpose, running, paused):
    if room == running and paused:
        return Stage(title, "paused", "paused")
    if room == running:
        return Stage(title, "being computed …", "running")
    status = pipeline.status(room)
    if status == "missing":
        inside = room in ("representatives", "model") and pipeline.status("clusters") == "ready"
        return Stage(title, "done by the run itself" if inside else purpose, status)
    fact = FACTS[room](getattr(pipeline, room))
    return Stage(title, f"out of date: {fact}" if status == "stale" else fact, status)


def _data(data):
    points, features = data.points.shape
    return f"{points:,} points × {features:,} features"


def _representatives(chosen):
    return f"{len(chosen.indices):,} {SELECTORS[chosen.settings.selector].short}"


def _model(model):
    return f"{VARIANTS[model.settings.variant].short}, {model.settings.hidden:,} hidden units"


def _clusters(found):
    count = np.count_nonzero(np.bincount(found.labels))
    return f"{count:,} clusters" if count > 1 else "1 cluster"


FACTS = {"data": _data, "representatives": _representatives, "model": _model, "clusters": _clusters}
