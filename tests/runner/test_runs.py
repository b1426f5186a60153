"""A run is the estimator's fit, kept in a folder: same labels from any file, block size or stop."""

import json

import numpy as np
import pytest

from leasc_core import LeaSC, Preprocessor, make_union_of_subspaces, save_data
from leasc_core.errors import LeascError, ParameterError
from leasc_core.runner import run
from leasc_core.runner.folder import RunFolder
from leasc_core.runs import budget
from leasc_core.runs.events import PointsDone, StageStarted

SETTINGS = {"n_clusters": 4, "n_representatives": 120, "hidden": (80,), "n_landmarks": 300, "random_state": 0}


@pytest.fixture(scope="module")
def planes():
    Y, y = make_union_of_subspaces(4, 2, 15, 2200, noise=0.1, random_state=0, shuffle=True)
    return Y.astype(np.float32), y


@pytest.fixture(scope="module")
def whole(planes):
    return LeaSC(**SETTINGS).fit(planes[0])


@pytest.fixture(scope="module")
def files(planes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    np.save(folder / "planes.npy", planes[0])
    save_data(folder / "planes.parquet", planes[0])
    return {"array": planes[0], "npy": folder / "planes.npy", "parquet": folder / "planes.parquet"}


@pytest.mark.parametrize("kind", ["array", "npy", "parquet"])
@pytest.mark.parametrize("rows", [1000, 7777, 10**6])
def test_streamed_is_whole(files, whole, kind, rows):
    """The same labels from memory, a file read in place and a file decoded by columns, in any blocks."""
    model = LeaSC(**SETTINGS, block_rows=rows).fit(files[kind])
    assert np.array_equal(model.labels_, whole.labels_)
    assert np.array_equal(model.predict(files[kind]), whole.labels_)


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_passes_are_counted_and_few(files, affinity):
    """Landmarks look at every point once, codes twice; the samples are counted too."""
    model = LeaSC(**{**SETTINGS, "n_landmarks": 50}, affinity=affinity).fit(files["npy"])
    sampled = 120 + (8800 if affinity == "landmarks" else 8800)
    assert model.passes_ == pytest.approx((1 if affinity == "landmarks" else 2) + sampled / 8800, abs=1e-9)


def test_a_run_is_the_fit_in_a_folder(files, whole, tmp_path):
    result = run.start(tmp_path / "run", files["npy"], {**SETTINGS, "hidden": [80]})
    assert np.array_equal(result.labels, whole.labels_)
    assert np.array_equal(LeaSC.load(tmp_path / "run" / "model.leasc").predict(files["npy"]), whole.labels_)
    assert result.summary["n_clusters"] == 4 and sum(result.summary["sizes"]) == 8800
    assert run.resume(tmp_path / "run").summary == result.summary, "a finished run is only read"


@pytest.mark.parametrize("stage", ["representatives", "coding", "landmarks", "encoding", "spectral", "centres"])
def test_a_stop_at_any_stage_resumes_to_the_same_labels(files, whole, tmp_path, stage):
    settings = {**SETTINGS, "hidden": [80]}
    at_stage = lambda event: isinstance(event, StageStarted) and event.stage == stage  # noqa: E731
    stopped = run.start(tmp_path / "run", files["npy"], settings, on_event=at_stage)
    assert not stopped.finished and stopped.labels is None
    assert np.array_equal(run.resume(tmp_path / "run").labels, whole.labels_)
    said = [line["event"] for line in RunFolder(tmp_path / "run").events()]
    assert said.count("Started") + said.count("Resumed") == 2 and "Stopped" in said and said[-1] == "Finished"


def test_a_resumed_pass_goes_on_where_it_was(files, tmp_path):
    settings = {**SETTINGS, "hidden": [80], "block_rows": 800}
    run.start(tmp_path / "run", files["npy"], settings, on_event=lambda e: isinstance(e, PointsDone) and e.done >= 4000)
    first = []
    run.resume(tmp_path / "run", on_event=lambda e: first.append(e) if isinstance(e, PointsDone) else None)
    assert first[0].before >= 4000 and first[0].done == first[0].before + 800
    assert first[0].rate == pytest.approx(800 / first[0].seconds)


def test_preprocessing_is_part_of_the_run(planes, tmp_path):
    X = planes[0].copy()
    X[::97, 3] = np.nan
    np.save(tmp_path / "holes.npy", X)
    result = run.start(tmp_path / "run", tmp_path / "holes.npy", {**SETTINGS, "hidden": [80]}, preprocess={"missing": "mean"})
    expected = LeaSC(**SETTINGS, preprocess=Preprocessor("mean")).fit(tmp_path / "holes.npy")
    assert np.array_equal(result.labels, expected.labels_)


def test_a_trained_function_is_taken_as_it_is(files, whole, tmp_path):
    run.prepare(tmp_path / "run", files["npy"], {**SETTINGS, "hidden": [80]})
    run.give_trained(tmp_path / "run", whole.representative_indices_, whole.representatives_, whole.sign_ignored_, whole.rpcm_)
    stages = []
    result = run.resume(tmp_path / "run", on_event=lambda e: stages.append(e.stage) if isinstance(e, StageStarted) else None)
    assert "coding" not in stages and "network" not in stages
    assert np.array_equal(result.labels, whole.labels_)


def test_labels_in_the_file_are_scored_and_used_for_nothing(planes, whole, tmp_path):
    np.savez(tmp_path / "planes.npz", X=planes[0], y=planes[1])
    result = run.start(tmp_path / "run", tmp_path / "planes.npz", {**SETTINGS, "hidden": [80]})
    assert np.array_equal(result.labels, whole.labels_)
    assert set(result.summary["scores"]) >= {"acc", "nmi", "ari"}


def test_events_are_lines_of_json_and_a_broken_one_is_left_out(files, tmp_path):
    run.start(tmp_path / "run", files["npy"], {**SETTINGS, "hidden": [80]})
    file = tmp_path / "run" / "events.jsonl"
    whole_lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {line["event"] for line in whole_lines} >= {"Started", "StageStarted", "StageFinished", "PointsDone", "Finished"}
    with file.open("a") as stream:
        stream.write('{"event": "Poi')
    assert RunFolder(tmp_path / "run").events() == whole_lines


@pytest.mark.parametrize("bad", [{"n_clusters": 0}, {"variant": "l3"}, {"colour": "red"}, {"n_representatives": 10**6}])
def test_bad_parameters_are_refused_before_a_folder_is_made(files, tmp_path, bad):
    with pytest.raises(ParameterError):
        run.prepare(tmp_path / "run", files["npy"], bad)
    assert not (tmp_path / "run").exists()


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(LeascError, match="nowhere.npy"):
        run.prepare(tmp_path / "run", tmp_path / "nowhere.npy")


def sizes(**changes):
    usual = {"points": 10**6, "features": 1024, "representatives": 1000, "hidden": (1500,), "clusters": 100, "landmarks": 8000,
             "neighbours": 5, "code_width": 256, "variant": "f2", "affinity": "landmarks", "block_rows": 4096}  # fmt: skip
    return budget.Sizes(**{**usual, **changes})


def test_memory_does_not_grow_with_the_points_and_time_does():
    small, large = (budget.estimate(sizes(points=m), rate=1e11) for m in (10**6, 10**8))
    assert large.memory == small.memory
    assert 50 < large.seconds / small.seconds <= 100
    assert large.disk - small.disk == pytest.approx(99e6 * 48), "ten numbers of a join and two labels a point"


def test_an_ensemble_takes_so_many_times_the_work():
    one, five = (budget.estimate(sizes(draws=draws), rate=1e11) for draws in (1, 5))
    assert 4 < (five.seconds - budget.STARTUP) / (one.seconds - budget.STARTUP) <= 5
    assert five.disk > 3 * one.disk and five.memory > one.memory


@pytest.mark.parametrize("more", [{"representatives": 8000}, {"landmarks": 64_000}, {"hidden": (40_000,)}, {"block_rows": 10**6},
                                  {"draws": 9}])  # fmt: skip
def test_what_takes_memory_is_counted(more):
    assert budget.estimate(sizes(**more), rate=1e11).memory > 1.3 * budget.estimate(sizes(), rate=1e11).memory
