"""Whether clusters stand apart: a valley between each and its nearest, and not merely pieces of one curve."""

import numpy as np

# Principal axes looked at, and turns of which half of the points finds the axis and half shows the valley.
AXES, TURNS, RIDGE, FEWEST = 30, 2, 0.1, 4
# Widths around both middles and the border, as shares of the distance between the middles.
WIDTH = 0.125
# The first gaps of a curve grow as 1, 4, 9, …, of a ring as 1, 1, 4, 4, …; within this factor it is one.
FIRST, LIKE_A_CURVE = 6, 1.45


def valley(rows: np.ndarray, labels: np.ndarray, rng) -> float:
    """Points at the border of a cluster and its nearest beside those at their middles: 0 is empty, 1 is no valley.

    Each pair is seen along the axis that parts it best, found on one half of its points and read on the other. Two halves of
    anything round, flat or square show 1 or more.
    """
    rows = main_axes(rows)
    groups = [np.flatnonzero(labels == label) for label in range(int(labels.max()) + 1)]
    groups = [group for group in groups if len(group) >= FEWEST]
    if len(groups) < 2:
        return 1.0
    border = middle = 0.0
    for at, other in enumerate(_nearest(rows, groups)):
        for _ in range(TURNS):
            seen = _seen(rows, groups[at], groups[other], rng)
            border, middle = border + seen[0], middle + seen[1]
    return float(min(1.0, border / max(middle, 1e-9)))


def is_one_curve(eigenvalues: np.ndarray) -> bool:
    """Whether the spectrum of a graph of neighbours is that of one curve or ring without a gap."""
    if len(eigenvalues) <= FIRST:
        return False
    gaps = np.maximum(1.0 - eigenvalues[1 : FIRST + 1], 1e-9)
    steps = np.arange(1, FIRST + 1)
    return any(np.ptp(np.log(gaps / shape**2)) <= 2 * np.log(LIKE_A_CURVE) for shape in (steps, (steps + 1) // 2))


def main_axes(rows: np.ndarray) -> np.ndarray:
    """Centred rows along at most 30 principal axes, in which valleys are looked for; of these rows it gives the same."""
    rows = np.asarray(rows, np.float64)
    rows = rows - rows.mean(axis=0)
    if rows.shape[1] <= AXES:
        return rows
    wide = rows.shape[1] > len(rows)
    values, vectors = np.linalg.eigh(rows @ rows.T if wide else rows.T @ rows)
    values, vectors = values[: -AXES - 1 : -1], vectors[:, : -AXES - 1 : -1]
    return vectors * np.sqrt(np.maximum(values, 0.0)) if wide else rows @ vectors


def _nearest(rows, groups):
    """Of each group the one whose middle is nearest beside the spread within groups."""
    middles = np.vstack([rows[group].mean(axis=0) for group in groups])
    within = sum((rows[group] - middle).T @ (rows[group] - middle) for group, middle in zip(groups, middles, strict=True))
    scaled = middles @ np.linalg.cholesky(np.linalg.inv(_ridged(within)))
    apart = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return apart.argmin(axis=1)


def _seen(rows, first, second, rng):
    """Shares of the held-out points at the border, and in the mean at the two middles."""
    (learn_a, show_a), (learn_b, show_b) = (np.array_split(rng.permutation(group), 2) for group in (first, second))
    a, b = rows[learn_a], rows[learn_b]
    spread = np.vstack([a - a.mean(axis=0), b - b.mean(axis=0)])
    axis = np.linalg.solve(_ridged(spread.T @ spread), b.mean(axis=0) - a.mean(axis=0))
    along_a, along_b = rows[show_a] @ axis, rows[show_b] @ axis
    start, end = np.median(along_a), np.median(along_b)
    if end <= start:
        return 1.0, 1.0
    places = [(along - start) / (end - start) for along in (along_a, along_b)]

    def share(at):
        return sum(float(np.mean(np.abs(place - at) <= WIDTH)) for place in places)

    return share(0.5), 0.5 * (share(0.0) + share(1.0))


def _ridged(scatter):
    return scatter + (RIDGE * np.trace(scatter) / len(scatter) + 1e-12) * np.eye(len(scatter))
