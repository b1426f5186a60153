"""The example behind the page: what it computes, how it is numbered, and that importing the pages stays light."""

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from leasc_core.data.synthetic import four_rays
from leasc_core.metrics import clustering_accuracy
from leasc_ui.screens.example.compute import choose_by_ds3, in_order_of_rows, rays, run_example
from leasc_ui.screens.example.settings import FORM, ExampleSettings
from leasc_ui.screens.home.picture import FILE, HEIGHT, MARGIN, WIDTH, picture


@pytest.fixture(scope="module")
def run():
    return run_example(ExampleSettings())


def test_noise_one_is_the_papers_example_and_zero_lies_on_rays():
    points, labels = rays(1.0, 3)
    assert np.allclose(points, four_rays(3)[0]) and (labels == four_rays(3)[1]).all()
    still, labels = rays(0.0, 3)
    for ray in range(4):
        assert np.linalg.matrix_rank(still[labels == ray], tol=1e-9) == 1


def test_run_is_whole(run):
    assert run.points.shape == (800, 2) and run.codes.shape == (800, 88) and run.representative_codes.shape == (88, 88)
    assert run.scores["acc"] >= 0.99 and run.n_clusters == 4
    assert list(run.seconds) == ["representatives", "coding", "network", "landmarks", "encoding", "spectral", "centres", "labels"]
    assert run.total_seconds == pytest.approx(sum(run.seconds.values()))


def test_it_is_what_the_estimator_gives(run):
    from leasc_core import LeaSC

    model = LeaSC(4, n_representatives=88, hidden=(50,), preprocess=None, affinity="landmarks", random_state=0).fit(
        four_rays(0)[0]
    )
    assert (model.representative_indices_ == run.representatives).all()
    assert clustering_accuracy(model.labels_, run.labels) == 1.0


def test_clusters_are_numbered_by_their_rows():
    assert in_order_of_rows(np.array([7, 7, 2, 2, 7, 5])).tolist() == [0, 0, 1, 1, 0, 2]
    assert in_order_of_rows(np.array([3, 1, 1, 1, 3, 1])).tolist() == [0, 1, 1, 1, 0, 1]


def test_algorithm_2_is_no_better_than_the_certified_codes():
    for variant in ("f2", "l1"):
        run = run_example(ExampleSettings(variant=variant, solver="paper", representatives=40))
        assert run.gap is None and run.excess > 0


@pytest.mark.slow
def test_a_kept_ds3_choice_changes_nothing_but_the_waiting():
    settings = ExampleSettings(selector="ds3", representatives=20)
    chosen = choose_by_ds3(settings.noise, settings.seed, 20)
    kept, fresh = run_example(settings, chosen), run_example(settings)
    assert (kept.representatives == fresh.representatives).all() and (kept.labels == fresh.labels).all()
    assert kept.seconds["representatives"] >= chosen.seconds


OPTIONS = {name: tuple(field.options) for name, field in FORM.fields.items()}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_choice_survives_the_address(name):
    for value in OPTIONS[name][:: max(1, len(OPTIONS[name]) // 12)]:
        settings = replace(ExampleSettings(), **{name: value})
        assert FORM.from_address(FORM.to_address(settings)) == settings


def test_defaults_are_choices_and_leave_the_address_empty():
    assert FORM.to_address(ExampleSettings()) == {}
    for name, options in OPTIONS.items():
        assert name == "beta" or getattr(ExampleSettings(), name) in options


def test_home_picture_shows_this_run(run):
    """The stored dots, read back into the plane, are the points, and each cluster's path is a cluster of the run."""
    paths = re.findall(r'<path class="dots[^"]*"[^>]* d="([^"]*)"', FILE.read_text())
    places = [np.array(re.findall(r"M(\d+) (\d+)h0", path), dtype=float) for path in paths]
    low, high = run.points.min(axis=0), run.points.max(axis=0)
    back = (places[0] - MARGIN) / (np.array([WIDTH, HEIGHT]) - 2 * MARGIN)
    back[:, 1] = 1 - back[:, 1]
    assert np.abs(low + back * (high - low) - run.points).max() < 0.01
    assert [len(each) for each in places] == [800, *np.bincount(run.labels)]
    assert "color-scheme:dark" in picture("dark") and "color-scheme:light" in picture(None)


def test_the_first_page_needs_no_heavy_library():
    """Home imports neither torch nor scikit-learn nor faiss on its way to the first paint."""
    code = (
        "import sys; import leasc_ui.frame.page, leasc_ui.session.state, leasc_ui.screens.home.picture, leasc_ui.work.core;"
        "print([name for name in ('torch', 'sklearn', 'faiss', 'scipy', 'umap') if name in sys.modules])"
    )
    heavy = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert heavy.stdout.strip() == "[]"
