"""The pages as Streamlit runs them, without a browser: what they show for every choice, and what they say when they cannot."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from leasc_core.errors import DataError
from leasc_ui.screens.example import view as example_view
from leasc_ui.session.choices import SELECTORS, SOLVERS, VARIANTS
from tests.app.visits import address, words

HOME = Path(__file__).parents[3] / "app.py"
PATIENCE = 60


def four_lines(**address):
    """The page as a link with these parameters opens it."""
    app = AppTest.from_file(HOME, default_timeout=PATIENCE).switch_page("pages/1_Four_lines.py")
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def test_home_says_what_this_is_and_runs_nothing():
    app = AppTest.from_file(HOME, default_timeout=PATIENCE).run()
    assert not app.exception
    assert "One button finds which rows belong together" in words(app) and "CSV and other text, Excel" in words(app)
    assert not app.metric


def test_default_is_the_papers_example():
    app = four_lines()
    assert not app.exception and not app.error
    assert app.title[0].value == "Four lines"
    assert list(tiles(app)) == ["Accuracy", "NMI", "ARI", "Computed in"]
    assert float(tiles(app)["Accuracy"].removesuffix(" %")) >= 99
    assert app.slider(key="example_representatives").value == 88
    assert address(app) == {}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_with_every_solver(variant, solver):
    app = four_lines(variant=variant, solver=solver)
    assert not app.exception and not app.error
    assert app.selectbox(key="example_variant").value == variant
    assert float(tiles(app)["Accuracy"].removesuffix(" %")) >= 99
    if (variant, solver) == ("f2", "exact"):
        assert "one linear solve" in words(app)
    else:
        assert ("Certified after" if solver == "exact" else "more than the certified best") in words(app)


@pytest.mark.parametrize("selector", SELECTORS)
def test_every_selector(selector):
    app = four_lines(selector=selector, representatives="40")
    assert not app.exception and not app.error
    assert float(tiles(app)["Accuracy"].removesuffix(" %")) >= 95


def test_changes_reach_the_address_and_reset_clears_it():
    app = four_lines(noise="2")
    app.select_slider(key="example_hidden").set_value(20)
    app.slider(key="example_representatives").set_value(40).run()
    assert address(app) == {"noise": "2", "hidden": "20", "representatives": "40"}
    app.button(key="example_reset").click().run()
    assert app.slider(key="example_representatives").value == 88
    assert address(app) == {}
    app.button(key="example_undo").click().run()
    assert address(app) == {"noise": "2", "hidden": "20", "representatives": "40"}


def test_a_new_variant_starts_from_its_own_beta():
    app = four_lines(beta="0.1")
    assert app.select_slider(key="example_beta").value == 0.1
    app.selectbox(key="example_variant").set_value("l1").run()
    assert app.select_slider(key="example_beta").value > 1
    assert address(app) == {"variant": "l1"}


def test_a_stale_link_opens_with_defaults_for_what_it_gets_wrong():
    app = four_lines(variant="gone", representatives="10000000", hidden="20", other="x", seed="-1", noise="nan")
    assert not app.exception and not app.error
    assert app.select_slider(key="example_hidden").value == 20
    assert address(app) == {"hidden": "20"}


def test_more_clusters_than_representatives_is_one_sentence_and_a_way_back():
    app = four_lines(representatives="4", clusters="8")
    assert not app.exception
    assert len(app.error) == 1 and "8" in app.error[0].value
    assert not app.metric
    app.button(key="example_reset").click().run()
    assert not app.error and app.metric


def test_the_number_of_clusters_can_be_found():
    app = four_lines(clusters="find")
    assert not app.exception and not app.error
    assert app.selectbox(key="example_clusters").value == "find"
    assert float(tiles(app)["Accuracy"].removesuffix(" %")) >= 99


def test_codes_that_vanish_are_explained():
    app = four_lines(variant="l1", beta="0.01")
    assert not app.exception and not app.error
    assert "Every code is zero" in app.info[0].value


def test_an_error_of_the_core_is_a_sentence(monkeypatch):
    def fail(settings):
        raise DataError("Row 3 is all zeros; drop it.")

    monkeypatch.setattr(example_view, "example_of", fail)
    app = four_lines()
    assert not app.exception
    assert [error.value for error in app.error] == ["Row 3 is all zeros; drop it."]


def test_choices_survive_a_visit_to_another_page():
    app = four_lines(noise="0.5")
    app.switch_page("app.py").run()
    app.query_params.clear()
    app.switch_page("pages/1_Four_lines.py").run()
    assert app.select_slider(key="example_noise").value == 0.5
    assert address(app) == {"noise": "0.5"}
