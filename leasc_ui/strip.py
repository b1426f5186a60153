"""The strip on every page: data · representatives · model · clusters, how each stands, and the way to its page."""

from html import escape

import numpy as np
import streamlit as st

from leasc_ui.choices import SELECTORS, VARIANTS
from leasc_ui.page import exists
from leasc_ui.pipeline import ROOMS
from leasc_ui.state import STAGES, Stage
from leasc_ui.train_room import collect as collect_training
from leasc_ui.train_room import training_paused

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
    running = running or collect_training(session) or _collect_clusters(session)
    stages = stages_of(session.pipeline, running, running == "model" and training_paused())
    with st.container(key="rooms", horizontal=True, gap="small"):
        for room, stage in zip(ROOMS, stages, strict=True):
            with st.container(key=f"room_{room}_{stage.status}", gap=None):
                _door(HOMES[room], stage)


def data_or_invitation(session, strip, words):
    """The data of the pipeline, or of a link; where there are none, ``words`` say so, the way to them is shown, the page ends."""
    from leasc_ui.share import follow

    trouble = follow(session, strip)
    data = session.pipeline.ready("data")
    if data is None:
        with strip:
            pipeline_strip(session)
        with st.container(border=True, key="nothing_yet"):
            if trouble:
                st.warning(trouble, icon=":material/link_off:")
            st.markdown(words)
            st.page_link(HOMES["data"], label="Go to Data", icon=":material/arrow_forward:")
        st.stop()
    return data


def _collect_clusters(session):
    """Asked only of visitors who have clustered: a first page need not import that room."""
    if "cluster_room" not in st.session_state:
        return None
    from leasc_ui.cluster_room import collect

    return collect(session)


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
        return Stage(title, purpose, status)
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
