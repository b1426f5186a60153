"""Named synthetic examples, each with the lesson it teaches; the paper's four lines come first."""

from dataclasses import dataclass, field

import numpy as np

from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from leasc_core.errors import ParameterError


@dataclass(frozen=True)
class Preset:
    """A title, a sentence that says what to look for, and the generator's parameters."""

    title: str
    lesson: str
    parameters: dict = field(default_factory=dict)
    generator: object = make_union_of_subspaces


PRESETS = {
    "four_lines": Preset(
        "Four lines (the paper's example)",
        "Noisy rays in the plane: opposite ones are nearly one line, so the sign of a code is information.",
        generator=four_rays,
    ),
    "independent_planes": Preset(
        "Four planes in 20 dimensions",
        "Independent subspaces, little noise: each code uses its own plane, the affinity is block diagonal.",
    ),
    "nearly_touching": Preset(
        "Three planes 5 degrees apart",
        "Neighbours almost share a line; points near that line are the ones that change sides.",
        {"n_subspaces": 3, "dim": 2, "ambient_dim": 10, "angle": 5.0, "noise": 0.01},
    ),
    "crowded_lines": Preset(
        "Eight lines in a plane",
        "Lines 20 degrees apart in two dimensions: far from independent, each point has many equal codes.",
        {"n_subspaces": 8, "dim": 1, "ambient_dim": 2, "angle": 20.0, "n_per_subspace": 100, "noise": 0.03},
    ),
    "mixed_dimensions": Preset(
        "A line, a plane and two larger subspaces, unequal in size",
        "Dimensions 1 to 4 and ten times more points on the first than on the last.",
        {"dim": (1, 2, 3, 4), "ambient_dim": 15, "imbalance": 10.0},
    ),
    "affine_planes": Preset(
        "Planes that miss the origin",
        "Affine subspaces: each needs one more dimension when it is coded as a linear one.",
        {"affine": True, "ambient_dim": 12},
    ),
    "one_sided_cones": Preset(
        "Five cones",
        "Points lie on one side only: the mirror image of a point is no data, so the sign of a code counts.",
        {"n_subspaces": 5, "dim": 3, "ambient_dim": 30, "spread": "one_sided", "noise": 0.05},
    ),
    "outlying_entries": Preset(
        "Four planes with outlying entries",
        "Two entries in a hundred are gross errors: what the entry-wise penalty on E is made for.",
        {"ambient_dim": 30, "sparse_fraction": 0.02, "sparse_magnitude": 5.0},
    ),
    "missing_entries": Preset(
        "Four planes with holes",
        "A fifth of the entries is missing; low-rank completion recovers them, the mean does not.",
        {"ambient_dim": 30, "missing_fraction": 0.2},
    ),
    "outlier_points": Preset(
        "Four planes among outlier points",
        "A fifteenth of the points lies on no plane: what the column-wise penalty on E is made for.",
        {"outlier_fraction": 1 / 15},
    ),
    "everything_at_once": Preset(
        "All corruptions together",
        "Noise, outlying entries, missing entries and outlier points at once, each known to the truth.",
        {
            "ambient_dim": 30,
            "noise": 0.05,
            "sparse_fraction": 0.01,
            "missing_fraction": 0.05,
            "outlier_fraction": 0.05,
            "shuffle": True,
        },
    ),
    "many_subspaces": Preset(
        "Twenty subspaces in 40 dimensions",
        "Sixty directions share 40 dimensions: these subspaces cannot be independent, only far apart.",
        {"n_subspaces": 20, "dim": 3, "ambient_dim": 40, "n_per_subspace": 100},
    ),
}


def presets() -> tuple[str, ...]:
    """The names, in the order in which they should be shown."""
    return tuple(PRESETS)


def preset(name):
    """The `Preset` of that name."""
    if name not in PRESETS:
        raise ParameterError(f"preset={name!r} is not known; choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]


def make_preset(name: str, seed: int | np.random.RandomState | None = 0, *, return_truth: bool = False) -> tuple:
    """Generate a named example: ``(Y, y)``, with ``return_truth`` also its `Truth`."""
    chosen = preset(name)
    return chosen.generator(random_state=seed, return_truth=return_truth, **chosen.parameters)
