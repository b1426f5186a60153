"""From codes to labels: whole or in blocks, old points or new, the answer is the same."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from leasc_core.data.sources import open_source
from leasc_core.engine.local import LocalEngine
from leasc_core.events import PointsDone, Reporter, Stopped
from leasc_core.spectral.model import fit_codes, fit_landmarks, place_landmarks
from leasc_core.stages.context import Seeds
from leasc_core.stages.encode import as_it_is
from leasc_core.storage.checkpoint import MemoryStore


@pytest.fixture(scope="module")
def codes():
    """Five clusters of 60 codes, each with its own representatives, and their labels."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(5), 60)
    own = np.repeat(np.eye(5)[y], 6, axis=1) * rng.uniform(0.3, 1, (300, 30))
    return (own + 0.05 * rng.standard_normal((300, 30))).astype(np.float32), y


def fit(affinity, codes, size=100, k=5, seed=0, reporter=None, sign_blind=False):
    seeds, reporter = Seeds(seed), reporter or Reporter()
    points, engine, store = open_source(codes), LocalEngine(size), MemoryStore()
    if affinity == "codes":
        return fit_codes(points, as_it_is, k, engine, store, seeds, reporter)
    graph = place_landmarks(lambda: codes, 60, 5, sign_blind, store, seeds, reporter)
    return fit_landmarks(points, as_it_is, graph, k, engine, store, seeds, reporter)


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
@pytest.mark.parametrize("k", [5, None])
def test_clusters_are_found(codes, affinity, k):
    Z, y = codes
    _, labels, found, _ = fit(affinity, Z, k=k)
    assert found == 5
    assert adjusted_rand_score(y, labels) == 1.0


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_labelling_the_training_codes_gives_the_training_labels(codes, affinity):
    Z, _ = codes
    model, labels, _, _ = fit(affinity, Z)
    assert np.array_equal(model.label(Z), labels)
    one_by_one = np.concatenate([model.label(Z[i : i + 1]) for i in range(len(Z))])
    assert np.array_equal(one_by_one, labels)


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
@pytest.mark.parametrize("size", [1, 33, 300])
def test_blocks_do_not_matter(codes, affinity, size):
    Z, _ = codes
    assert np.array_equal(fit(affinity, Z, size)[1], fit(affinity, Z, 100)[1])


def test_sign_blind_landmarks_put_mirror_images_together(codes):
    Z, y = codes
    flipped = Z * np.random.default_rng(1).choice([-1, 1], (300, 1)).astype(np.float32)
    model, labels, _, _ = fit("landmarks", flipped, sign_blind=True)
    assert adjusted_rand_score(y, labels) == 1.0
    assert np.array_equal(model.label(-flipped), labels)


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_progress_is_told_and_a_stop_is_obeyed(codes, affinity):
    Z, _ = codes
    seen = []
    fit(affinity, Z, 60, reporter=Reporter(seen.append))
    done = [event for event in seen if isinstance(event, PointsDone)]
    encoded = [event.done for event in done if event.stage == "encoding"]
    assert encoded == [60, 120, 180, 240, 300], "each point is encoded, and told of, once"
    with pytest.raises(Stopped):
        fit(affinity, Z, 60, reporter=Reporter(lambda event: isinstance(event, PointsDone) and event.done >= 120))
