"""The Train page and its computations: runs from start to finish, what is kept of them, pins, and what it says when it cannot."""

import time
from dataclasses import replace

import numpy as np
import pytest

from leasc_core.data.sources import open_source
from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from leasc_core.errors import DataError
from leasc_core.events import CodingIteration, NetworkEpoch
from leasc_ui.charts.training import left_chart, mu_chart, runs_chart, terms_chart
from leasc_ui.screens.representatives.compute import choose, usual_count
from leasc_ui.screens.train import state as train_room
from leasc_ui.screens.train.compute import (
    PICTURES,
    PIXELS,
    CodePicture,
    Record,
    averaged,
    order_of,
    picture_of,
    record_of_model,
    representatives_of,
    seconds_left,
    train,
)
from leasc_ui.screens.train.pins import difference
from leasc_ui.screens.train.settings import FORM, TrainSettings
from leasc_ui.screens.train.state import Pin
from leasc_ui.session.choices import SOLVERS, VARIANTS
from leasc_ui.session.pipeline import ChosenRepresentatives, LoadedData, RepresentativeSettings, TrainedModel
from leasc_ui.work.jobs import Job
from leasc_ui.work.slots import WorkerSlots
from tests.app.visits import address, pipeline, visit, words

PAGE = "pages/4_Train.py"
PATIENCE = 60


def loaded(points, labels=None):
    return LoadedData("test points", {"kind": "synthetic"}, open_source(np.asarray(points)), labels=labels)


def rays(count=40):
    """The four rays with so many representatives."""
    points, labels = four_rays(0)
    data = loaded(points, labels)
    return data, choose(data, RepresentativeSettings("random", count, 0))


def page(data=None, chosen=None, **address):
    return visit(PAGE, PATIENCE, data, chosen=chosen, **address)


def job(app):
    return app.session_state["train_state"].run.job


def started(app):
    app.button(key="start").click().run()
    return app


def trained(app):
    """Start, wait until it is over, and look again, as the page's own clock would."""
    started(app)
    assert job(app).wait(PATIENCE)
    return app.run()


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_without_data_there_is_a_sentence_and_a_way_on():
    app = page()
    assert not app.exception and not app.error
    assert "nothing to train on yet" in words(app) and not app.metric


def test_without_representatives_one_click_takes_the_usual_ones():
    app = page(rays()[0])
    assert not app.exception and "No representatives are chosen yet" in words(app)
    app.button(key="take_default").click().run()
    assert not app.exception and not app.error
    assert pipeline(app).ready("representatives").settings == RepresentativeSettings("random", usual_count(800), 0)
    assert "Press **Start**" in words(app)


def test_who_waits_for_a_place_is_told_so_and_sees_the_run_when_it_has_one(monkeypatch):
    slots = WorkerSlots(0)
    monkeypatch.setattr(Job.__init__, "__kwdefaults__", Job.__init__.__kwdefaults__ | {"slots": slots})
    app = started(page(*rays(24), variant="l1", hidden="20"))
    assert not app.exception and "Waiting for a free place" in words(app) and not app.metric
    slots._most = dict.fromkeys(slots._most, 1)
    slots.advance()
    assert job(app).wait(PATIENCE)
    app.run()
    assert "Done:" in words(app) and tiles(app)["Iteration"] != "…"


def test_representatives_of_other_data_are_said_to_be_stale():
    _, chosen = rays()
    app = page(loaded(make_union_of_subspaces(n_per_subspace=30)[0]), chosen)
    assert not app.exception and "no longer stand for it" in words(app)
    app.button(key="take_default").click().run()
    assert pipeline(app).status("representatives") == "ready"


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_with_every_solver_ends_in_a_model(variant, solver):
    app = trained(page(*rays(24), variant=variant, solver=solver, hidden="20"))
    assert not app.exception and not app.error
    model = pipeline(app).ready("model")
    assert model.settings.variant == variant and model.settings.solver == solver
    assert model.rpcm.codes_.shape == (24, 24) and model.rpcm.network_.n_features == 2 and model.rpcm.on_event is None
    assert "Done:" in words(app) and tiles(app)["Error of f"].endswith("%")
    iterations = [event for event in model.events if isinstance(event, CodingIteration)]
    pictures = [event for event in model.events if isinstance(event, CodePicture)]
    assert any(isinstance(event, NetworkEpoch) for event in model.events)
    assert bool(iterations) == ((variant, solver) != ("f2", "exact"))
    assert 1 <= len(pictures) <= PICTURES + 1
    assert ("Look back, by iteration" in [slider.label for slider in app.select_slider]) == (len(pictures) > 1)


def test_joint_training_is_offered_with_algorithm_2_alone():
    app = page(*rays(24), variant="f2", solver="paper", train="joint", hidden="20")
    assert app.segmented_control(key="train_train").value == "joint"
    app = trained(app)
    assert pipeline(app).model.settings.train == "joint" and not app.error
    app.segmented_control(key="train_solver").set_value("exact").run()
    assert "train_train" not in [control.key for control in app.segmented_control]
    app = trained(app)
    assert pipeline(app).model.settings.train == "final" and not app.error


def test_choices_reach_the_address_survive_other_pages_and_reset():
    app = page(*rays(24), beta="0.1", hidden="50")
    app.select_slider(key="train_alpha_bar").set_value(2.0).run()
    assert address(app) == {"alpha_bar": "2", "beta": "0.1", "hidden": "50"}
    app.switch_page("app.py").run()
    app.query_params.clear()
    app.switch_page(PAGE).run()
    assert app.select_slider(key="train_beta").value == 0.1 and app.select_slider(key="train_hidden").value == 50
    next(button for button in app.button if button.label == "Reset").click().run()
    assert address(app) == {} and app.select_slider(key="train_hidden").value == TrainSettings().hidden


def test_a_new_variant_starts_from_its_own_beta_and_only_the_elastic_net_has_alpha():
    app = page(*rays(24), beta="0.1")
    app.selectbox(key="train_variant").set_value("elastic_net").run()
    assert app.select_slider(key="train_beta").value > 1 and app.select_slider(key="train_alpha").value == 1.0
    assert address(app) == {"variant": "elastic_net"}
    app.selectbox(key="train_variant").set_value("l1").run()
    assert "train_alpha" not in [slider.key for slider in app.select_slider]


def test_a_stale_link_opens_with_defaults_for_what_it_gets_wrong():
    app = page(*rays(24), variant="gone", beta="nan", hidden="3", epochs="-1", other="x", seed="7")
    assert not app.exception and not app.error and address(app) == {"seed": "7"}


SLOW = {"variant": "l1", "beta": "1000", "hidden": "20"}


def test_stop_ends_the_run_keeps_what_was_seen_and_the_model_from_before():
    app = trained(page(*rays(300), hidden="20"))
    before = pipeline(app).model
    app.selectbox(key="train_variant").set_value("l1").run()
    app.select_slider(key="train_beta").set_value(1000.0).run()
    started(app)
    until(lambda: job(app).history.count(CodingIteration) > 2)
    asked = time.monotonic()
    app.button(key="stop").click().run()
    assert time.monotonic() - asked < 2 and job(app).status == "stopped"
    assert not app.exception and not app.error
    assert "Stopped." in words(app) and pipeline(app).model is before
    assert not app.button(key="start").disabled and app.button(key="stop").disabled


def test_pause_goes_on_where_it_was():
    app = started(page(*rays(300), **SLOW))
    until(lambda: job(app).history.count(CodingIteration) > 1)
    app.button(key="pause").click().run()
    assert job(app).paused and "Paused." in words(app) and app.button(key="pause").label == "Go on"
    said = job(app).history.count(CodingIteration)
    app.button(key="pause").click().run()
    until(lambda: job(app).history.count(CodingIteration) > said + 1)
    job(app).cancel()


def test_a_run_goes_on_while_one_is_on_another_page():
    app = started(page(*rays(60), variant="l1", hidden="20"))
    app.switch_page("app.py").run()
    assert job(app).wait(PATIENCE) and job(app).status == "finished"
    app.switch_page(PAGE).run()
    assert not app.exception and pipeline(app).ready("model").settings.variant == "l1"


def test_a_run_of_representatives_that_changed_meanwhile_is_stale():
    data, chosen = rays(40)
    app = started(page(data, chosen, hidden="20"))
    pipeline(app).representatives = choose(data, RepresentativeSettings("random", 30, 1))
    assert job(app).wait(PATIENCE)
    app.run()
    assert pipeline(app).status("model") == "stale" and "have changed since" in words(app)


def test_an_error_of_the_core_is_a_sentence_and_one_may_start_again(monkeypatch):
    def fail(data, chosen, settings, report):
        raise DataError("Row 3 is all zeros; drop it.")

    monkeypatch.setattr(train_room, "train", fail)
    app = trained(page(*rays(24), hidden="20"))
    assert not app.exception
    assert [error.value for error in app.error] == ["Row 3 is all zeros; drop it."]
    assert pipeline(app).model is None and not app.button(key="start").disabled
    monkeypatch.setattr(train_room, "train", train)
    app = trained(app)
    assert not app.error and pipeline(app).ready("model")


def test_missing_values_are_named():
    points = four_rays(0)[0].copy()
    points[:, 1] = np.nan
    data = loaded(points)
    app = trained(page(data, ChosenRepresentatives(data.fingerprint, RepresentativeSettings(count=5), np.arange(5))))
    assert not app.exception and len(app.error) == 1 and "Row 0, feature 1 is NaN" in app.error[0].value


def test_a_model_trained_elsewhere_is_shown():
    data, chosen = rays(24)
    settings = TrainSettings(variant="l1", hidden=20)
    rpcm = train(data, chosen, settings, lambda event: None)
    app = page(data, chosen)
    pipeline(app).model = TrainedModel(chosen.fingerprint, settings, rpcm)
    app.run()
    assert not app.exception and not app.error and "Duality gap" in tiles(app)


def test_two_pinned_runs_side_by_side_say_what_differs():
    app = trained(page(*rays(24), hidden="20"))
    app.text_input(key="pin_name_Run 1: F²").set_value("plain").run()
    app.button(key="pin").click().run()
    assert "“plain” is pinned" in words(app)
    app.selectbox(key="train_variant").set_value("l1").run()
    app = trained(app)
    app.button(key="pin").click().run()
    assert not app.exception and not app.error
    table = next(frame.value for frame in app.dataframe if "plain" in frame.value.columns)
    told = {row.iloc[0]: list(row.iloc[1:]) for _, row in table.iterrows()}
    assert told["Codes"] == ["F²", "ℓ1"] and "Hidden units" not in told and told["Iterations"][0] == "–"


def test_difference_names_settings_and_representatives_that_differ_and_no_others():
    record = Record(TrainSettings(), [], [], [])
    one = Pin("a", TrainSettings(), RepresentativeSettings("random", 100, 0), record, {"Time": "1 s"})
    other = Pin("a", TrainSettings(beta=5.0, hidden=20), RepresentativeSettings("kmeans", 100, 0), record, {"Time": "2 s"})
    table = difference(one, other)
    assert table.iloc[:, 0].tolist() == ["β", "Hidden units", "… chosen", "Time"]
    assert table.iloc[0, 1:].tolist() == ["1", "5"] and table.columns.is_unique


def test_it_is_what_the_estimator_gives():
    """The same codes and the same f as an RPCM fitted by hand on unit-length representatives."""
    from leasc_core import RPCM

    data, chosen = rays(50)
    rpcm = train(data, chosen, TrainSettings(variant="l1", hidden=30, seed=3), lambda event: None)
    X = four_rays(0)[0][chosen.indices]
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert np.allclose(representatives_of(data, chosen), X)
    reference = RPCM("l1", zero_diagonal=True, tol=1e-2, hidden=(30,), random_state=3).fit(X)
    assert np.allclose(rpcm.codes_, reference.codes_) and np.allclose(rpcm.transform(X), reference.transform(X))


def test_pictures_are_block_means_in_the_order_of_labels():
    codes, errors = np.arange(16.0).reshape(4, 4), np.arange(12.0).reshape(4, 3)
    order = np.array([2, 0, 3, 1])
    picture = picture_of(5, codes, errors, order)
    assert picture.iteration == 5
    assert picture.codes[1, 0] == codes[2, 0] and picture.errors[2, 1] == errors[0, 2]
    large = np.random.default_rng(0).standard_normal((2 * PIXELS, 3))
    small = averaged(large)
    assert small.shape == (PIXELS, 3)
    assert np.allclose(small, (large[::2] + large[1::2]) / 2, atol=2e-3)
    assert averaged(np.ones((500, 301))).shape == (PIXELS, PIXELS) and (averaged(np.ones((500, 301))) == 1).all()
    data = loaded(np.eye(4), np.array([1, 0, 1, 0]))
    chosen = ChosenRepresentatives("", RepresentativeSettings(), np.array([0, 1, 3]))
    assert order_of(data, chosen).tolist() == [1, 2, 0]
    assert order_of(replace(data, labels=None), chosen).tolist() == [0, 1, 2]


def events(values, seconds=0.1, gap=True):
    return [
        ((i + 1) * seconds, CodingIteration(10 * (i + 1), value, 1.0, 0.5, 0.5, 1.0, value if gap else None))
        for i, value in enumerate(values)
    ]


def test_time_left_follows_the_trend():
    falling = events([10.0 ** -(i / 10) for i in range(11)])
    assert seconds_left(falling, "exact") == pytest.approx(1.0, rel=0.01), "from 0.1 to 0.01 at a decade a second"
    assert seconds_left(falling[:2], "exact") is None
    flat = events([0.5] * 10)
    assert seconds_left(flat, "exact") == pytest.approx((2000 - 100) / 10 * 0.1), "no trend: what the limit leaves"
    assert seconds_left(events([1e-9] * 3 + [1e-10] * 5, gap=False), "paper") == 0.0
    assert seconds_left(events([0.0] * 5), "exact") is None


def test_live_charts_change_their_table_and_nothing_else():
    history = [event for _, event in events([1.0, 0.1, 0.01])]
    for chart in (left_chart, terms_chart, mu_chart):
        first, later = chart([]), chart(history, marker=20)
        assert first.spec == later.spec and first.alt == later.alt
        assert first.data.dtypes.equals(later.data.dtypes)
        assert later.data["kind"].tolist().count("marker") == 1
        assert first.data.empty
    assert left_chart(history).data["shown"].tolist() == pytest.approx([0, -1, -2] * 2)
    assert set(runs_chart({"a": history, "b": history[:1]}).data["what"]) == {"a", "b"}


def test_a_record_of_a_model_without_pictures_makes_one():
    data, chosen = rays(24)
    rpcm = train(data, chosen, TrainSettings(hidden=20), lambda event: None)
    record = record_of_model(TrainedModel(chosen.fingerprint, TrainSettings(), rpcm), np.arange(24))
    assert len(record.pictures) == 1 and record.at(99) is record.pictures[0] and record.epochs


CHANGED = TrainSettings("l1", 0.5, 2.0, solver="paper", train="joint", hidden=50, activation="tanh", epochs=9, seed=4)


@pytest.mark.parametrize("settings", [CHANGED, TrainSettings()])
def test_settings_survive_the_address(settings):
    assert FORM.from_address(FORM.to_address(settings)) == settings
