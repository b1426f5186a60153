"""Make every file of this folder again, byte for byte: ``python -m sample_data.make [folder]``."""

import sys
from pathlib import Path

import numpy as np

from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from sample_data.kinds import cell_counts, field_scene, sensor_states, sentences
from sample_data.moving_objects import track_all
from sample_data.shapes_under_light import render_all

GROSSLY_WRONG = 0.3
GROSS_NORM = 1.5
STEP = 2.0**-16


def four_lines(path):
    """The paper's 800 points as text, six decimals."""
    Y, y = four_rays(random_state=0)
    rows = [f"{first:.6f},{second:.6f},{label}\n" for (first, second), label in zip(Y, y, strict=True)]
    path.write_bytes("".join(["x1,x2,label\n", *rows]).encode("ascii"))


def moving_objects(path):
    """Trajectories of 450 points on five moving bodies."""
    X, names = track_all()
    np.savez(path, X=X, labels=names)


def shapes_under_light(path):
    """960 pictures of eight shapes."""
    images, names, lights = render_all()
    np.savez(path, images=images, labels=names, lights=lights)


def digits(path):
    """scikit-learn's copy of the UCI optical digits (test part), 8 x 8 pixels of 0 to 16."""
    from sklearn.datasets import load_digits

    data = load_digits()
    np.savez(path, images=data.images.astype(np.uint8), labels=data.target.astype(np.int64))


def corrupted(path):
    """Five subspaces; three points in ten carry an error larger than themselves, and the errors are kept."""
    _, y, truth = make_union_of_subspaces(
        n_subspaces=5, dim=4, ambient_dim=80, n_per_subspace=80, noise=0.01, random_state=1, return_truth=True
    )
    rng = np.random.default_rng(0)
    wrong = np.zeros(y.size, dtype=bool)
    wrong[rng.choice(y.size, size=round(GROSSLY_WRONG * y.size), replace=False)] = True
    gross = rng.standard_normal((int(wrong.sum()), 80))
    errors = truth.errors.copy()
    errors[wrong] += GROSS_NORM * gross / np.linalg.norm(gross, axis=1, keepdims=True)
    # On a binary grid the sum is exact in float32, so X = clean + errors holds to the last bit.
    clean, errors = _on_grid(truth.clean), _on_grid(errors)
    np.savez(path, X=clean + errors, y=y, clean=clean, errors=errors, grossly_wrong=wrong)


FILES = {
    "four_lines.csv": four_lines,
    "moving_objects.npz": moving_objects,
    "shapes_under_light.npz": shapes_under_light,
    "digits.npz": digits,
    "corrupted.npz": corrupted,
    "field_scene.npz": field_scene,
    "cell_counts.h5ad": cell_counts,
    "sentences.jsonl": sentences,
    "sensor_states.ts": sensor_states,
}


def make_all(folder):
    """Write all files into ``folder``."""
    for name, make in FILES.items():
        make(Path(folder) / name)


def _on_grid(values):
    return (np.rint(values / STEP) * STEP).astype(np.float32)


if __name__ == "__main__":
    make_all(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
