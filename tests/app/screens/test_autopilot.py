"""The autopilot on the Train page: rows that explain themselves, accepting loads everywhere, undo returns, and refusals."""

import threading

import numpy as np
import pytest

from leasc_core.autopilot import search
from leasc_core.autopilot.candidates import Candidate, Evidence, Proposal
from leasc_core.data.sources import open_source
from leasc_core.data.synthetic import four_rays
from leasc_core.errors import DataError
from leasc_core.events import CandidateDone
from leasc_ui.screens.cluster import choices as cluster_choices
from leasc_ui.screens.representatives.compute import usual_count
from leasc_ui.screens.representatives.settings import FORM as REPRESENTATIVES
from leasc_ui.screens.train.autopilot import COLUMNS
from leasc_ui.screens.train.search import choices_of
from leasc_ui.screens.train.settings import FORM as TRAIN
from leasc_ui.session.pipeline import LoadedData
from tests.app.visits import visit

PAGE = "pages/4_Train.py"
PATIENCE = 150


def candidate(clusters, beta, stability=0.98, affinity="landmarks"):
    evidence = Evidence(4.0, stability, 0.2, 0.7, 1.0, -3.5)
    return Candidate(clusters, beta, "f2", 120, 150, affinity, evidence, stability, 0.5)


CANDIDATES = (candidate(4, 3.0), candidate(4, 1.0, 0.9), candidate(5, 0.3, 0.6, "codes"))


def quick(points, budget, n_clusters=None, on_event=None):
    """A search that knows its answer."""
    for number, each in enumerate(CANDIDATES, 1):
        on_event(CandidateDone(number, 3, each.row(), 0.1 * number, budget - 0.1 * number))
    return Proposal(CANDIDATES, "4 clusters with β = 3.", budget, 0.3, len(points), True)


def loaded(shift=0.0):
    """Four rays, without labels."""
    return LoadedData("rays", {"kind": "synthetic"}, open_source(four_rays(0)[0] + shift))


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(search, "propose", quick)
    return visit(PAGE, PATIENCE, loaded())


def searched(app):
    app.button(key="autopilot_start").click().run()
    app.session_state["autopilot_state"].search.job.wait(PATIENCE)
    return app.run()


def go(app, page):
    """Follow a link of the menu, which leaves the address of the page before behind."""
    app.query_params.clear()
    return app.switch_page(page).run()


def form(app, remembered):
    return app.session_state[f"{remembered.page}_form"].settings


def text_of(app):
    return " ".join(each.value for kind in (app.markdown, app.caption, app.warning, app.error, app.success) for each in kind)


def test_every_column_of_the_table_is_a_number_of_the_search_and_explained():
    assert set(COLUMNS) <= set(CANDIDATES[0].row())
    assert all(len(meaning) > 25 for _, _, meaning in COLUMNS.values())


def test_nothing_is_searched_until_asked(page):
    assert not page.exception and page.session_state["autopilot_state"].search is None
    assert page.button(key="autopilot_enough").disabled and page.button(key="autopilot_undo").disabled


def test_the_pick_comes_first_and_in_words(page):
    app = searched(page)
    assert not app.exception
    table = next(each.value for each in app.dataframe if "stability" in each.value)
    assert list(table["n_clusters"]) == [4, 4, 5] and list(table["beta"]) == [3.0, 1.0, 0.3]
    assert "4 clusters: found twice from different representatives" in text_of(app)
    assert "of 800 points" in text_of(app)


def test_accepting_loads_it_everywhere_and_undo_returns(page):
    app = searched(page)
    before = tuple(form(app, each) for each in (TRAIN,))
    app.button(key="take_pick").click().run()
    assert not app.exception
    mine = app.session_state["session"]
    assert mine.pipeline.representatives.settings.count == 120
    assert form(app, REPRESENTATIVES).count == 120
    assert form(app, TRAIN).beta == 3.0
    wanted = form(app, cluster_choices.FORM)
    assert (wanted.how, wanted.clusters) == (cluster_choices.GIVEN, 4)
    app.session_state["train_state"].run.job.wait(PATIENCE)
    app.run()
    assert mine.pipeline.status("model") == "ready" and mine.pipeline.model.settings.beta == 3.0
    assert "Loaded everywhere" in text_of(app)
    go(app, "pages/5_Cluster.py")
    assert app.number_input(key="cluster_clusters").value == 4
    go(app, "pages/3_Representatives.py")
    assert app.slider(key="representatives_count").value == 120
    go(app, PAGE)
    app.button(key="autopilot_undo").click().run()
    assert not app.exception
    assert mine.pipeline.representatives is None and mine.pipeline.model is None
    assert tuple(form(app, each) for each in (TRAIN,)) == before
    assert form(app, cluster_choices.FORM).how == cluster_choices.FIND
    assert "Loaded everywhere" not in text_of(app) and app.button(key="autopilot_undo").disabled
    go(app, "pages/3_Representatives.py")
    app.slider(key="representatives_count").set_value(50).run()
    assert not app.exception and form(app, REPRESENTATIVES).count == 50


def test_the_runner_up_is_one_click_away(page):
    app = searched(page)
    app.button(key="take_runner_up").click().run()
    assert form(app, TRAIN).beta in (None, 1.0)
    assert app.session_state["autopilot_state"].accepted["beta"] == 1.0


def test_other_data_make_the_search_stale(page):
    app = searched(page)
    app.session_state["session"].pipeline.data = loaded(shift=1.0)
    app.run()
    assert "The data has changed since this search" in text_of(app)
    assert app.button(key="take_pick").disabled and app.button(key="take_runner_up").disabled


def test_a_refusal_is_one_sentence(page, monkeypatch):
    def refuse(*arguments, **settings):
        raise DataError("Row 3, feature 0 is NaN (missing); fill it in.")

    monkeypatch.setattr(search, "propose", refuse)
    app = searched(page)
    assert not app.exception and "Row 3, feature 0 is NaN" in text_of(app)


def test_enough_ends_the_search_with_what_it_has(page, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def long(points, budget, n_clusters=None, on_event=None):
        on_event(CandidateDone(1, 3, CANDIDATES[0].row(), 0.1, budget))
        begun.set()
        go_on.wait(PATIENCE)
        stopped = on_event(CandidateDone(2, 3, CANDIDATES[1].row(), 0.2, budget))
        return Proposal(CANDIDATES[: 1 if stopped else 3], "One.", budget, 0.2, len(points), not stopped)

    monkeypatch.setattr(search, "propose", long)
    page.button(key="autopilot_start").click().run()
    begun.wait(PATIENCE)
    page.button(key="autopilot_enough").click().run()
    go_on.set()
    page.session_state["autopilot_state"].search.job.wait(PATIENCE)
    app = page.run()
    assert "Time was up" in text_of(app) and len(app.session_state["autopilot_state"].search.rows()) == 1


def test_a_candidate_s_usual_values_stay_usual():
    row = {**candidate(4, 1.0).row(), "n_representatives": usual_count(800), "n_landmarks": 150}
    representatives, train, clusters = choices_of(row, loaded())
    assert (representatives.count, train.beta, clusters.landmarks) == (None, None, None)
    # m^¾ of 800 points is 150.4, the usual number of landmarks.
    assert np.isclose(800**0.75, 150, atol=0.5)
