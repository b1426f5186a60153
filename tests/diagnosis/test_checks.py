"""The single checks of a diagnosis against data whose answer is known, and the command that prints them."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from leasc_core import make_union_of_subspaces
from leasc_core.cli.main import main
from leasc_core.diagnosis.dimension import intrinsic_dimension
from leasc_core.diagnosis.expression import pursue
from leasc_core.diagnosis.groups import describe_groups
from leasc_core.diagnosis.nulls import blobs, one_cloud, shapeless
from leasc_core.diagnosis.sample import draw_sample
from leasc_core.diagnosis.verdict import diagnose
from leasc_core.errors import DataError


def rng():
    return np.random.default_rng(0)


def test_one_cloud_keeps_mean_and_spread_and_nothing_else():
    points, _ = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=8, n_per_subspace=200, noise=0.02, random_state=0)
    null = one_cloud(points, rng())
    np.testing.assert_allclose(null.mean(axis=0), points.mean(axis=0), atol=1e-9)
    # Shuffling keeps every variance; correlations between the shuffled features vanish as 1/√n.
    difference = np.linalg.norm(np.cov(null.T) - np.cov(points.T)) / np.linalg.norm(np.cov(points.T))
    assert difference < 4 / np.sqrt(len(points))


def test_turned_rows_keep_their_lengths_and_blobs_their_centres():
    points = rng().standard_normal((60, 5)) * [9, 1, 1, 1, 1]
    np.testing.assert_allclose(np.linalg.norm(shapeless(points, rng()), axis=1), np.linalg.norm(points, axis=1))
    labels = np.arange(60) % 2
    changed = blobs(points, labels, rng())
    for label in (0, 1):
        centre = points[labels == label].mean(axis=0)
        np.testing.assert_allclose(
            np.linalg.norm(changed[labels == label] - centre, axis=1), np.linalg.norm(points[labels == label] - centre, axis=1)
        )


def test_pursuit_leaves_what_least_squares_on_the_same_atoms_leaves():
    generator = rng()
    points, atoms = generator.standard_normal((20, 6)), generator.standard_normal((15, 6))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    left = pursue(points, atoms, 2)
    for point, first, second in zip(points, left[0], left[1], strict=True):
        one = np.abs(atoms @ point).argmax()
        two = np.abs(atoms @ first).argmax()
        chosen = atoms[[one, two]].T
        expected = point - chosen @ np.linalg.lstsq(chosen, point, rcond=None)[0]
        np.testing.assert_allclose(second, expected, atol=1e-9)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_dimension_of_a_noisy_subspace(dimension):
    settings = {"n_subspaces": 1, "ambient_dim": 30, "n_per_subspace": 200, "noise": 0.1}
    points, _ = make_union_of_subspaces(dim=dimension, **settings, random_state=1)
    assert intrinsic_dimension(points, rng()) == dimension


def test_noise_without_a_direction_fills_its_space():
    assert intrinsic_dimension(rng().standard_normal((400, 6)), rng()) == 6


def test_groups_know_their_angles_and_whether_they_pass_the_origin():
    generator = rng()
    line = np.outer(generator.standard_normal(80), [1, 0, 0, 0])
    tilted = np.outer(generator.standard_normal(80), [np.cos(0.5), np.sin(0.5), 0, 0])
    affine = np.outer(generator.standard_normal(80), [0, 0, 1, 0]) + [0, 0, 0, 3]
    points = np.vstack([line, tilted, affine]) + 1e-3 * generator.standard_normal((240, 4))
    first, second, third = describe_groups(points, np.repeat([0, 1, 2], 80), generator)
    assert (first.dimension, second.dimension, third.dimension) == (1, 1, 2)
    assert first.nearest == 1 and second.nearest == 0
    assert first.angle == pytest.approx(np.degrees(0.5), abs=0.5)
    assert first.offset < 0.2 and third.offset > 0.8


def test_the_sample_says_what_it_left_out():
    points = rng().standard_normal((100, 4))
    points[1], points[2], points[3, 0] = points[0], 0.0, np.nan
    seen = draw_sample(points, rng())
    assert (seen.repeated, seen.empty, seen.missing, len(seen.points)) == (1, 1, 1, 97)
    assert draw_sample(rng().standard_normal((5000, 4)), rng()).looked_at == 800
    with pytest.raises(DataError, match="at least 20"):
        draw_sample(points[:10], rng())


def test_a_diagnosis_of_known_clusters_looks_at_each():
    points, labels = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=20, n_per_subspace=150, noise=0.02, random_state=0)
    found = diagnose(points, labels)
    assert found.verdict == "yes" and [group.dimension for group in found.groups] == [2, 2, 2]
    assert not found.groups_found and {check.name for check in found.checks} >= {"Few others write a point", "More than blobs"}
    with pytest.raises(DataError, match="one label a point"):
        diagnose(points, labels[:-1])


def test_the_command_tells_and_prints_json(tmp_path, capsys):
    points, _ = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=12, n_per_subspace=60, noise=0.02, random_state=0)
    path = tmp_path / "planes.npy"
    np.save(path, points)
    assert main(["diagnose", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("YES") and "180 of 180 rows were looked at" in said
    assert main(["diagnose", str(path), "--json"]) == 0
    facts = SimpleNamespace(**json.loads(capsys.readouterr().out))
    assert facts.verdict == "yes" and len(facts.checks) >= 6
