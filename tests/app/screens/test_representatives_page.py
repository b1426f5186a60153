"""The Representatives page and its computations: choices, coverage against brute force, Proposition 1, and what cannot be."""

import threading
import time

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from leasc_core import selectors
from leasc_core.data.sources import open_source
from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from leasc_core.errors import DataError
from leasc_ui.charts.coverage import SINGLE_MARKS, chance_chart, choice_chart, distances_chart
from leasc_ui.screens.representatives import compute as representatives_work
from leasc_ui.screens.representatives import state as representatives_room
from leasc_ui.screens.representatives.compute import (
    chance_of,
    choose,
    coverage_of,
    main_directions,
    plane_of,
    sizes_of,
    usual_count,
)
from leasc_ui.screens.representatives.settings import FORM, RepresentativeChoices
from leasc_ui.screens.representatives.view import percent
from leasc_ui.session import choices
from leasc_ui.session.fields import Words
from leasc_ui.session.form import Form
from leasc_ui.session.pipeline import ChosenRepresentatives, LoadedData, RepresentativeSettings
from tests.app.visits import address, pipeline, visit, words

PAGE = "pages/3_Representatives.py"
PATIENCE = 60


def loaded(points, labels=None, name="test points"):
    return LoadedData(name, {"kind": "synthetic"}, open_source(np.asarray(points)), labels=labels)


def rays(labelled=True):
    points, labels = four_rays(0)
    return loaded(points, labels if labelled else None)


def page(data=None, **address):
    """The page as a visitor with this data opens it."""
    return settled(visit(PAGE, PATIENCE, data, **address))


def settled(app, seconds=PATIENCE):
    """Run again until nothing is being chosen, as the page's own clock would."""
    deadline = time.monotonic() + seconds
    while True:
        job = app.session_state["representatives_state"].job if "representatives_state" in app.session_state else None
        if job is None or not job.active:
            return app
        assert time.monotonic() < deadline
        job.wait(1.0)
        app.run()


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def test_without_data_there_is_a_sentence_and_a_way_on():
    app = page()
    assert not app.exception and not app.error
    assert "no points to choose from yet" in words(app)
    assert not app.metric


def test_a_choice_is_there_at_once_and_becomes_the_pipelines():
    app = page(rays())
    assert not app.exception and not app.error
    chosen = pipeline(app).ready("representatives")
    assert chosen.settings == RepresentativeSettings("random", usual_count(800), 0)
    assert len(np.unique(chosen.indices)) == usual_count(800) == app.slider(key="representatives_count").value
    assert list(tiles(app)) == ["Representatives", "Radius ρ", "Typical distance", "Every subspace met"]
    assert address(app) == {}
    assert "come from your labels" in words(app)


def test_slider_selector_and_seed_reach_the_pipeline_and_the_address_and_reset_clears_them():
    app = page(rays(labelled=False), count="40")
    assert len(pipeline(app).representatives.indices) == 40
    app.segmented_control(key="representatives_selector").set_value("kmeans")
    app.number_input(key="representatives_seed").set_value(3)
    app.number_input(key="representatives_subspaces").set_value(4)
    settled(app.run())
    assert pipeline(app).representatives.settings == RepresentativeSettings("kmeans", 40, 3)
    assert address(app) == {"selector": "kmeans", "count": "40", "seed": "3", "subspaces": "4"}
    assert "Assuming 4 subspaces" in words(app)
    next(button for button in app.button if button.label == "Reset").click()
    settled(app.run())
    assert address(app) == {} and pipeline(app).representatives.settings.selector == "random"


def test_ds3_waits_to_be_asked():
    app = page(loaded(four_rays(0)[0][::8]), selector="ds3", count="10")
    assert pipeline(app).representatives is None and "press **Find them**" in words(app)
    app.button(key="find").click().run()
    settled(app)
    assert not app.exception and not app.error
    assert pipeline(app).ready("representatives").settings == RepresentativeSettings("ds3", 10, 0)


def test_choices_survive_a_visit_to_another_page_and_going_back_is_free():
    app = page(rays(), count="50")
    first = pipeline(app).representatives
    app.switch_page("app.py").run()
    app.query_params.clear()
    app.switch_page(PAGE).run()
    assert app.slider(key="representatives_count").value == 50 and pipeline(app).representatives is first
    app.slider(key="representatives_count").set_value(60)
    settled(app.run())
    app.slider(key="representatives_count").set_value(50)
    settled(app.run())
    assert pipeline(app).representatives is first


def test_new_data_makes_a_new_choice():
    app = page(rays())
    before = pipeline(app).representatives
    app.session_state["session"].pipeline.data = loaded(make_union_of_subspaces(n_per_subspace=50)[0])
    assert pipeline(app).status("representatives") == "stale"
    settled(app.run())
    assert not app.exception and not app.error
    after = pipeline(app).ready("representatives")
    assert after is not before and len(after.indices) == usual_count(200)


def test_a_stale_link_opens_with_defaults_for_what_it_gets_wrong():
    app = page(rays(), selector="gone", count="99999", seed="-1", other="x")
    assert not app.exception and not app.error and address(app) == {}


def test_more_than_there_are_points_is_capped():
    app = page(loaded(np.random.default_rng(0).standard_normal((30, 3))), count="400")
    assert not app.exception and not app.error
    assert len(pipeline(app).representatives.indices) == 30


def test_two_points_are_enough():
    app = page(loaded(np.eye(2)))
    assert not app.exception and not app.error and len(pipeline(app).representatives.indices) == 2


def test_an_error_of_the_core_is_a_sentence_and_the_settings_stay(monkeypatch):
    def fail(data, settings):
        raise DataError("Row 3 is all zeros; drop it.")

    monkeypatch.setattr(representatives_room, "choose", fail)
    app = page(rays())
    assert not app.exception
    assert [error.value for error in app.error] == ["Row 3 is all zeros; drop it."]
    assert app.slider(key="representatives_count").value and pipeline(app).representatives is None
    monkeypatch.setattr(representatives_room, "choose", choose)
    app.button(key="try_again").click()
    settled(app.run())
    assert not app.error and pipeline(app).ready("representatives")


def test_a_selector_that_does_not_say_how_long_it_takes_is_waited_for(monkeypatch):
    done = threading.Event()

    class Patient:
        label = "Patient"

        def select(self, source, n, rng):
            assert done.wait(PATIENCE)
            return np.arange(n)

    monkeypatch.setitem(selectors.SELECTORS, "patient", Patient)
    monkeypatch.setitem(choices.SELECTORS, "patient", Words("waited for", "Patient", "takes its time."))
    app = visit(PAGE, PATIENCE, rays(), selector="patient")
    assert not app.exception and "Patient: choosing points …" in words(app) and "usually" not in words(app)
    done.set()
    assert list(pipeline(settled(app)).ready("representatives").indices) == list(range(usual_count(800)))


def test_missing_values_are_named():
    points = four_rays(0)[0].copy()
    points[5, 1] = np.nan
    app = page(loaded(points))
    assert not app.exception
    assert len(app.error) == 1 and "Row 5, feature 1 is NaN" in app.error[0].value


def test_two_visitors_have_a_room_each():
    mine, yours = page(rays()), page(loaded(np.random.default_rng(0).standard_normal((60, 4))))
    assert mine.session_state["representatives_state"] is not yours.session_state["representatives_state"]
    assert len(pipeline(mine).representatives.indices) != len(pipeline(yours).representatives.indices)


@pytest.mark.parametrize("width", [2, 7])
def test_coverage_is_what_brute_force_says(width):
    points = np.random.default_rng(1).standard_normal((400, width)) + 1e4
    indices = np.sort(np.random.default_rng(2).choice(400, 25, replace=False))
    coverage = coverage_of(open_source(points), indices)
    distances = cdist(points, points[indices])
    assert coverage.whole and (coverage.rows == np.arange(400)).all()
    assert np.allclose(coverage.distances, distances.min(axis=1), rtol=1e-12, atol=0)
    assert (coverage.distances[indices] == 0).all()
    assert (coverage.nearest == indices[distances.argmin(axis=1)]).all()
    assert coverage.radius == pytest.approx(distances.min(axis=1).max())
    assert (np.diff(coverage.distances[coverage.farthest]) <= 0).all() and len(coverage.farthest) == 20


def test_a_large_source_is_measured_in_part_and_that_is_said(monkeypatch):
    monkeypatch.setattr(representatives_work, "DRAWN", 4000)
    points = np.random.default_rng(1).standard_normal((20_000, 3)).astype(np.float32)
    app = page(loaded(points), count="20")
    assert not app.exception and not app.error
    assert "of 20,000 points drawn at random" in words(app)
    coverage = coverage_of(open_source(points), np.arange(20))
    assert not coverage.whole and set(range(20)) <= set(coverage.rows.tolist())
    plane = plane_of(open_source(points))
    assert len(plane.rows) == 4000 and not plane.whole


def test_main_directions_are_those_of_scikit_learn():
    from sklearn.decomposition import PCA

    points = np.random.default_rng(0).standard_normal((300, 6)) * [9, 5, 2, 1, 1, 1]
    centre, axes, share = main_directions(points)
    reference = PCA(2).fit(points)
    assert np.allclose(np.abs(axes.T @ reference.components_.T), np.eye(2), atol=1e-8)
    assert share == pytest.approx(reference.explained_variance_ratio_.sum()) and np.allclose(centre, reference.mean_)


def test_points_that_are_all_alike_have_a_plane():
    plane = plane_of(open_source(np.ones((10, 5))))
    assert np.isfinite(plane.places).all() and plane.share == 1.0


def test_proposition_1_is_marked_where_the_slider_stands():
    chance = chance_of([50, 50], 7)
    assert chance.probability == pytest.approx(1820 / 1843)
    assert chance.probabilities[list(chance.picks).index(7)] == chance.probability
    assert (np.diff(chance.probabilities) >= 0).all() and chance.needed == 8
    now = chance_chart(chance).data.query("kind == 'now'")
    assert now["picks"].tolist() == [7] and now["chance"].tolist() == pytest.approx([100 * 1820 / 1843])


def test_sizes_come_from_labels_or_are_equal_shares():
    points = np.zeros((10, 2))
    assert sorted(sizes_of(loaded(points, np.array([0] * 7 + [4] * 3)), 5)) == [3, 7]
    assert sizes_of(loaded(points), 4).tolist() == [3, 3, 2, 2]
    assert sizes_of(loaded(points), 99).tolist() == [1] * 10


def test_pictures_do_not_put_numbers_into_the_specification():
    source = open_source(four_rays(0)[0])
    plane, coverage = plane_of(source), coverage_of(source, np.arange(0, 800, 20))
    one = choice_chart(plane, np.arange(5), plane.places[:5], np.arange(3), plane.places[:3])
    other = choice_chart(plane, np.arange(9), plane.places[:9], np.arange(2), plane.places[:2])
    assert one.spec == other.spec and one.alt == other.alt
    assert distances_chart(coverage).data.query("kind == 'bar'")["points"].sum() == 800
    assert distances_chart(coverage).spec == distances_chart(coverage_of(source, np.arange(3))).spec


def test_many_points_become_one_picture():
    source = open_source(np.random.default_rng(0).standard_normal((SINGLE_MARKS + 1, 2)))
    plane = plane_of(source)
    data = choice_chart(plane, np.arange(5), plane.places[:5], np.arange(3), plane.places[:3]).data
    assert data["kind"].value_counts().to_dict() == {"plus": 5, "ring": 3, "image": 1, "corner": 1}


def test_a_probability_never_rounds_to_a_certainty():
    told = [percent(p, certain=False) for p in (0.0, 1e-9, 0.5, 0.99999, 1.0)]
    assert told == ["0.0 %", "< 0.1 %", "50.0 %", "> 99.9 %", "> 99.9 %"]
    assert percent(1.0, certain=True) == "100 %"
    assert not chance_of([50, 50], 50).certain and chance_of([50, 50], 51).certain


@pytest.mark.parametrize("choices", [RepresentativeChoices("kmeans", 77, 5, 3), RepresentativeChoices()])
def test_choices_survive_the_address(choices):
    assert FORM.from_address(FORM.to_address(choices)) == choices
    assert isinstance(FORM, Form)


def test_the_choice_is_the_selectors_own_and_can_be_repeated():
    data = rays()
    for name in ("random", "kmeans"):
        settings = RepresentativeSettings(name, 30, 7)
        first, second = choose(data, settings), choose(data, settings)
        assert isinstance(first, ChosenRepresentatives) and (first.indices == second.indices).all()
        assert first.made_from == data.fingerprint and first.fingerprint == second.fingerprint
