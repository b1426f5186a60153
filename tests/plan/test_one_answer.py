"""The estimator, the command line and the app are one engine: each asks the same of the same rows, so labels are the same."""

from pathlib import Path

import numpy as np
import pytest

from leasc_core import LeaSC, clustering_accuracy, load_data
from leasc_core.bench.recipes import data_folder
from leasc_core.cli.main import main
from leasc_core.estimators.points import as_source
from leasc_core.runs.run import result_of, resume
from leasc_ui.data.choices import SAMPLES
from leasc_ui.data.recipes import SAMPLE_FOLDER, load_recipe
from leasc_ui.results.asked import ClusterSettings
from leasc_ui.screens.cluster.request import whole_request

LEAGUE = ("orl_32x32.mat", "usps.mat", "pendigits.mat")
# Who listens changes no label, and confidence is asked once they are there.
NO_MATTER = ("on_event", "confidence_draws")
# Both are plain to see: their clusters are found to the last point, and the verdict must say so.
WHOLE_FITS = ("four_lines", "sentences")


class Asked(BaseException):
    """What a fit was asked: parameters, rows, and what the file says of them; no error that a command would report."""


@pytest.fixture
def asked(monkeypatch):
    """``asked(work)`` is what ``work()`` asks of the engine, which then computes nothing."""

    def note(model, Y, store):
        source = as_source(model, Y, reset=True)
        parameters = {name: value for name, value in model.get_params(deep=False).items() if name not in NO_MATTER}
        raise Asked(parameters, source.take(np.arange(len(source))), source.image_shape, plain(source.layout))

    def asked_by(work):
        with monkeypatch.context() as patch, pytest.raises(Asked) as found:
            patch.setattr(LeaSC, "fit_run", note)
            work()
        return found.value.args

    return asked_by


@pytest.fixture
def app_run(tmp_path, monkeypatch):
    """The folder of a run as the app's one button writes it down, for a sample set or a file."""
    monkeypatch.setenv("LEASC_RUNS", str(tmp_path / "runs"))

    def written(recipe):
        return whole_request("visitor", load_recipe(recipe), ClusterSettings())[0]

    return written


def plain(layout):
    """A layout as plain values, which can be compared."""
    values = {} if layout is None else vars(layout)
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}


def same(one, other):
    parameters, rows, shape, layout = one
    return (parameters, shape, layout) == (other[0], *other[2:]) and np.array_equal(rows, other[1], equal_nan=True)


def ways(path, recipe, app_run, tmp_path):
    """The three ways in, as work that asks the engine."""
    return (
        lambda: LeaSC(random_state=0).fit(load_data(path)),
        lambda: main(["cluster", str(path), "-o", str(tmp_path / "shell"), "-q"]),
        lambda: resume(app_run(recipe)),
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_the_three_ways_ask_the_same_of_a_sample_set(name, asked, app_run, tmp_path):
    path = SAMPLE_FOLDER / SAMPLES[name].file
    first, *others = map(asked, ways(path, {"kind": "sample", "name": name}, app_run, tmp_path))
    assert first[0]["n_clusters"] is None and all(same(first, other) for other in others)


@pytest.mark.parametrize("file", LEAGUE)
def test_the_three_ways_ask_the_same_of_a_file_of_the_league(file, asked, app_run, tmp_path):
    path = Path(data_folder(None)) / "league" / file
    if not path.exists():
        pytest.skip(f"{path.name} is not on this machine")
    first, *others = map(asked, ways(path, {"kind": "file", "path": str(path)}, app_run, tmp_path))
    assert all(same(first, other) for other in others)


@pytest.mark.parametrize("name", WHOLE_FITS)
def test_the_labels_are_the_same(name, app_run, tmp_path):
    path = SAMPLE_FOLDER / SAMPLES[name].file
    by_python, by_shell, by_app = ways(path, {"kind": "sample", "name": name}, app_run, tmp_path)
    model = by_python()
    labels = model.labels_
    assert model.verdict_.mark == "clear" and clustering_accuracy(load_data(path).y, labels) >= 0.98
    assert by_shell() == 0 and np.array_equal(result_of(tmp_path / "shell").labels, labels)
    assert np.array_equal(by_app().labels, labels)
