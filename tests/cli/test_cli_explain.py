"""``explain`` and ``predict`` on three planes that share no feature: the facts are those that were planted, from one pass."""

import json

import numpy as np
import pytest

from leasc_core import LeaSC
from leasc_core.cli.main import main


@pytest.fixture(scope="module")
def planes(tmp_path_factory):
    """A folder with points (cluster c lies on features 2c and 2c + 1) and a model of them."""
    folder, rng = tmp_path_factory.mktemp("planes"), np.random.default_rng(0)
    points, truth = np.zeros((180, 6)), np.repeat([0, 1, 2], 60)
    for cluster in range(3):
        points[truth == cluster, 2 * cluster : 2 * cluster + 2] = rng.standard_normal((60, 2))
    points += 0.01 * rng.standard_normal(points.shape)
    np.save(folder / "points.npy", points)
    model = LeaSC(3, hidden=(60,), n_representatives=90, confidence_draws=1, random_state=0).fit(points)
    model.save(folder / "model.leasc")
    return folder, truth, model


def explained(capsys, folder, *what):
    assert main(["explain", str(folder), str(folder / "points.npy"), *what, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_point_is_written_by_its_own_plane(planes, capsys):
    folder, truth, model = planes
    for facts in explained(capsys, folder, "--row", "5", "--row", "100"):
        assert facts["cluster"] == model.labels_[facts["row"]] and facts["written_by_own_cluster"] > 0.8
        assert not facts["outlier"] and facts["unwritten"] < 0.6
        assert truth[facts["written_by"][0]["row"]] == truth[facts["row"]]


def test_a_cluster_is_told_by_its_features(planes, capsys):
    folder, truth, model = planes
    (facts,) = explained(capsys, folder, "--cluster", str(model.labels_[70]))
    assert facts["dimension"] == 2 and {each["feature"] for each in facts["features"][:2]} == {2, 3}
    assert (truth[facts["typical_rows"]] == 1).all() and facts["points_seen"] == 60


def test_the_same_in_words_and_refusals_in_one_sentence(planes, capsys):
    folder = planes[0]
    data = str(folder / "points.npy")
    assert main(["explain", str(folder), data, "--row", "5"]) == 0 and "row 5 is in cluster" in capsys.readouterr().out
    assert main(["explain", str(folder), data, "--cluster", "0"]) == 0 and "dimension" in capsys.readouterr().out
    assert main(["explain", str(folder), data, "--row", "180"]) == 1 and "from 0 to 179" in capsys.readouterr().err
    assert main(["explain", str(folder), data, "--cluster", "7"]) == 1 and "Cluster 7" in capsys.readouterr().err


def test_predict_reads_every_row_once(planes, monkeypatch, tmp_path):
    folder, _, model = planes
    from leasc_core.estimators import leasc

    engines, make = [], leasc.engine_of
    monkeypatch.setattr(leasc, "engine_of", lambda *given: engines.append(make(*given)) or engines[-1])
    assert main(["predict", str(folder), str(folder / "points.npy"), "-o", str(tmp_path / "labels.csv"), "-q"]) == 0
    assert sum(engine.rows_read for engine in engines) == 180
    table = np.genfromtxt(tmp_path / "labels.csv", delimiter=",", names=True)
    np.testing.assert_array_equal(table["cluster"], model.labels_)
    np.testing.assert_allclose(table["confidence"], model.confidence_, atol=1e-5)
