"""Real data with a known answer: a sample of MNIST's scattering features, where subspaces are only a likeness."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from leasc_core.autopilot import propose
from leasc_core.events import CandidateDone

FEATURES = Path(__file__).parents[3] / "shared" / "data" / "mnist_scattering_pca500.npy"


@pytest.mark.slow
@pytest.mark.skipif(not FEATURES.exists(), reason="MNIST features are not in ../shared/data")
def test_ten_digits_are_counted_within_one():
    points, looks = np.load(FEATURES, mmap_mode="r")[::20], itertools.count()
    first = propose(points, budget=30, clock=lambda: 10.0 * next(looks), on_event=lambda event: isinstance(event, CandidateDone))
    assert abs(first.pick.n_clusters - 10) <= 1
