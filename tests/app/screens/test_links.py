"""What a link makes of earlier rooms stands in the server's one line, as all work does."""

import pytest

from leasc_ui.work import core
from leasc_ui.work.slots import JOB, WorkerSlots
from tests.app.visits import pipeline, sound, visit

LINK = {"data.way": "make", "data.points": "50", "representatives.count": "20", "made": "model"}


@pytest.mark.slow
def test_what_a_link_trains_has_a_slot(monkeypatch):
    slots, asked = WorkerSlots(), []
    enter = slots.enter
    monkeypatch.setattr(slots, "enter", lambda ticket: (asked.append(ticket.kind), enter(ticket)))
    monkeypatch.setattr(core, "SLOTS", slots)
    app = sound(visit("pages/4_Train.py", 60, **LINK))
    made = pipeline(app)
    assert made is None or made.data is not None
    app = sound(visit("pages/5_Cluster.py", 60, **LINK))
    assert pipeline(app).ready("model") is not None and asked.count(JOB) >= 2
