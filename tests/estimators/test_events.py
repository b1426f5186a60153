"""One stream of typed events tells everything a progress bar or a live chart needs, and can stop the run."""

import numpy as np
import pytest

from leasc_core import RPCM, LeaSC, make_union_of_subspaces
from leasc_core.events import CodeSnapshot, CodingIteration, NetworkEpoch, PointsDone, StageFinished, StageStarted, StepDone

PLAIN = {"preprocess": None, "affinity": "landmarks"}
STAGES = ["representatives", "coding", "network", "landmarks", "encoding", "spectral", "centres", "labels"]


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(n_per_subspace=30)[0]


def watched(**settings):
    events = []
    model = LeaSC(**{"n_clusters": 4, "hidden": (30,), "random_state": 0, "on_event": events.append, **PLAIN, **settings})
    return model, events


def test_every_stage_is_announced_timed_and_in_order(points):
    model, events = watched(variant="l1")
    model.fit(points)
    assert [e.stage for e in events if isinstance(e, StageStarted)] == STAGES
    finished = [e for e in events if isinstance(e, StageFinished)]
    assert [e.stage for e in finished] == STAGES and all(e.seconds >= 0 for e in finished)
    assert {type(e) for e in events} >= {CodingIteration, CodeSnapshot, NetworkEpoch, PointsDone}


def test_iterations_tell_what_figure_nine_plots(points):
    model, events = watched(variant="l1", tol=1e-5)
    model.fit(points)
    iterations = [e for e in events if isinstance(e, CodingIteration)]
    assert iterations == model.history_
    assert all(np.isclose(e.objective, e.codes_term + e.noise_term) for e in iterations)
    assert iterations[-1].gap <= 1e-5 < iterations[0].gap
    assert [e.iteration for e in iterations] == sorted({e.iteration for e in iterations})


def test_snapshots_are_rows_of_the_right_shape(points):
    model, events = watched(variant="nuclear", solver="paper", n_representatives=50)
    model.fit(points)
    shots = [e for e in events if isinstance(e, CodeSnapshot)]
    assert shots and all(e.codes.shape == (50, 50) and e.errors.shape == (50, 20) for e in shots)


@pytest.mark.parametrize("at", STAGES[:-1])
def test_a_listener_can_stop_the_run_before_its_last_stage(points, at):
    seen = []

    def stop(event):
        seen.append(event)
        return getattr(event, "stage", None) == at

    model = LeaSC(4, variant="l1", hidden=(30,), random_state=0, on_event=stop, **PLAIN).fit(points)
    assert model.stopped_ and not hasattr(model, "labels_")
    started = [e.stage for e in seen if isinstance(e, StageStarted)]
    expected = STAGES[: STAGES.index(at) + 1]
    assert started == (expected + ["network"] if at == "coding" else expected)  # stopped codes still get their function


def test_stopping_the_solver_keeps_what_it_has(points):
    def stop(event):
        return isinstance(event, CodingIteration) and event.iteration >= 20

    model = RPCM(variant="l1", tol=1e-9, hidden=(30,), on_event=stop).fit(points)
    assert model.stopped_ and model.n_iter_ == 20
    assert model.transform(points).shape == (120, 120)


def test_nothing_prints(points, capsys):
    LeaSC(4, hidden=(30,), random_state=0).fit(points).predict(points)
    assert capsys.readouterr() == ("", "")


def test_stages_that_count_no_points_ask_who_listens_again_and_again(points, monkeypatch):
    monkeypatch.setattr("leasc_core.events.STEP_SECONDS", 0.0)
    stages = set()

    def stop_at(stage):
        def told(event):
            stages.update([event.stage] if isinstance(event, StepDone) else [])
            return isinstance(event, StepDone) and event.stage == stage

        return told

    for stage in ("clusters", "choice"):
        model = LeaSC(random_state=0, on_event=stop_at(stage)).fit(points)
        assert model.stopped_ and stage in stages and not hasattr(model, "labels_")
