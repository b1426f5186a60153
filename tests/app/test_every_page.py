"""Every page with every sample set, as one visitor walks through them; and what a page says whose room has run out of memory."""

import pytest
from streamlit.testing.v1 import AppTest

from leasc_ui.data.choices import SAMPLES
from leasc_ui.screens.cluster import state as cluster_room
from tests.app.visits import HOME, sound

ROOMS = ("pages/2_Data.py", "pages/3_Representatives.py", "pages/4_Train.py", "pages/6_Label_new_data.py", "pages/7_Theory.py")
PATIENCE = 120


def visit(app, page, **address):
    app.switch_page(page)
    app.query_params.clear()
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.parametrize("name", SAMPLES)
def test_every_page_shows_every_sample_set(name):
    app = AppTest.from_file(HOME, default_timeout=PATIENCE)
    visit(app, ROOMS[0], way="sample", sample=name)
    sound(app)
    for page in ROOMS[1:]:
        visit(app, page)
        sound(app)
        assert app.session_state["session"].pipeline.data.recipe["name"] == name
    assert app.session_state["session"].pipeline.ready("representatives") is not None


@pytest.mark.parametrize("own", [False, True])
def test_a_job_that_runs_out_of_memory_is_a_sentence_and_a_way_on(own, monkeypatch):
    def too_much(*_):
        raise MemoryError

    monkeypatch.setattr(cluster_room, "request" if own else "whole_request", too_much)
    app = AppTest.from_file(HOME, default_timeout=PATIENCE)
    visit(app, ROOMS[0], way="make", points="20")
    visit(app, "pages/7_Theory.py", section="contraction")
    app.button(key="theory_take").click().run()
    model = sound(app).session_state["session"].pipeline.ready("model")
    visit(app, "pages/5_Cluster.py")
    app.toggle(key="cluster_mine").set_value(own).run()
    app.button(key="begin").click().run()
    assert not app.exception and "memory" in app.error[0].value
    assert app.session_state["session"].pipeline.ready("model") is model is not None, "what was made before is kept"
    assert not app.button(key="begin").disabled
