"""A model with edits: the edited labels of the rows it knows, the edits carried to new ones, and the same from a file."""

import numpy as np
import pytest

from leasc_core import LeaSC
from leasc_core.data.sources import open_source
from leasc_core.errors import BundleError, ParameterError
from leasc_core.workbench.edited import EditedModel, load_model
from leasc_core.workbench.rows import text_of
from leasc_core.workbench.steps import Give, Merge, Name, Noise, Recluster, TakeOut


def heaps(count, seed):
    """Points around five axes of ten dimensions, the heap of the last two at a small angle, and the heap each is from."""
    rng = np.random.default_rng(seed)
    centres = np.eye(10)[:5] * 10
    centres[4] = centres[3] + 1.35 * np.eye(10)[7]
    truth = np.repeat(np.arange(5), count)
    return (centres[truth] + 0.25 * rng.normal(size=(len(truth), 10))).astype(np.float32), truth


@pytest.fixture(scope="module")
def fitted():
    points, truth = heaps(60, 0)
    model = LeaSC(n_clusters=4, hidden=(50,), preprocess=None, affinity="landmarks", random_state=0).fit(points)
    of = {heap: int(np.bincount(model.labels_[truth == heap]).argmax()) for heap in range(5)}
    assert of[3] == of[4], "two heaps at a small angle are one cluster, until they are taken apart"
    assert len({of[heap] for heap in range(4)}) == 4
    return model, points, truth, of


def edited(fitted, *steps, fits=None):
    model, points, _, _ = fitted
    return EditedModel(model, steps, points, fits)


def test_merge_take_out_and_noise_hold_for_new_points(fitted):
    _, points, truth, of = fitted
    rows = text_of(np.flatnonzero(truth == 4))
    steps = (Merge((of[0], of[1])), TakeOut(rows, 4), Noise(cluster=of[2]), Name(4, "the small one"))
    model = edited(fitted, *steps)
    np.testing.assert_array_equal(model.predict(points), model.labels_)
    new, heap = heaps(30, 1)
    found = model.predict(new)
    small = model.names_.index("the small one")
    assert (found[heap == 4] == small).all()
    assert not (found[heap == 3] == small).any()
    assert (found[heap == 2] == -1).all()
    assert len(np.unique(found[heap < 2])) == 1


def test_a_single_row_is_moved_and_its_like_alone(fitted):
    base, points, truth, of = fitted
    row = int(np.flatnonzero(truth == 0)[5])
    model = edited(fitted, Give(str(row), of[1]))
    assert model.predict(points[row : row + 1]) == [of[1]]
    assert model.predict(points[row : row + 1].astype(np.float64)) == [of[1]]
    np.testing.assert_array_equal(np.delete(model.predict(points), row), np.delete(base.labels_, row))


def test_a_split_labels_new_points_by_its_own_model(fitted, tmp_path):
    _, points, truth, of = fitted
    rows = np.flatnonzero(fitted[0].labels_ == of[3])
    inner = LeaSC(n_clusters=2, hidden=(50,), preprocess=None, affinity="landmarks", random_state=0).fit(points[rows])
    parts = tuple(text_of(rows[inner.labels_ == part]) for part in range(2))
    model = edited(fitted, Recluster(parts, (4, 5), of[3], {"n_clusters": 2}, "inner"), fits={"inner": inner})
    new, heap = heaps(40, 2)
    for each in (model, _saved(model, tmp_path)):
        np.testing.assert_array_equal(each.predict(points), model.labels_)
        found = each.predict(open_source(new))
        assert set(found[heap >= 3]) == {3, 4}
        np.testing.assert_array_equal(found[heap >= 3], 3 + inner.predict(new[heap >= 3]))


def test_saved_and_loaded_it_is_the_same(fitted, tmp_path):
    _, points, truth, of = fitted
    steps = (Name(of[0], "zero"), TakeOut(text_of(np.flatnonzero(truth == 4)), 4), Merge((of[1], 4)), Noise("0"))
    model, new = edited(fitted, *steps), heaps(50, 3)[0]
    again = _saved(model, tmp_path)
    assert (again.names_, again.steps, again.n_clusters_) == (model.names_, model.steps, model.n_clusters_)
    np.testing.assert_array_equal(again.labels_, model.labels_)
    np.testing.assert_array_equal(again.predict(new), model.predict(new))
    assert again.predict(points)[0] == -1


def test_without_edits_it_is_the_model(fitted):
    model, new = edited(fitted), heaps(20, 4)[0]
    np.testing.assert_array_equal(model.predict(new), fitted[0].predict(new))


def test_other_rows_and_damaged_files_are_refused(fitted, tmp_path):
    with pytest.raises(ParameterError, match="give the same rows"):
        EditedModel(fitted[0], (), fitted[1][:10])
    path = tmp_path / "model.leasc"
    edited(fitted, Noise("0")).save(path)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(BundleError):
        load_model(path)


def _saved(model, folder):
    model.save(folder / "edited.leasc")
    return load_model(folder / "edited.leasc")
