"""A union of subspaces too large for memory: drawn block by block straight into a ``.npy`` file."""

from pathlib import Path

import numpy as np

from leasc_core.errors import ParameterError

BLOCK_BYTES = 64 << 20


def write_union_of_subspaces(path, n_points, n_subspaces=10, dim=5, ambient_dim=100, noise=0.05, random_state=0, progress=None):
    """Write ``n_points`` rows (float32) of random linear subspaces to ``path``; return the subspace of each (int32).

    Every point draws its subspace and a Gaussian point on it, then noise whose length is ``noise`` times the clean length in the
    root mean square. The same seed gives the same bytes, and fewer points are the beginning of more.

    Parameters
    ----------
    progress : called as ``progress(rows_done, rows)``
    """
    _check(n_points, n_subspaces, dim, ambient_dim, noise)
    from leasc_core.storage.files import replacing, writing

    bases = np.linalg.qr(np.random.default_rng([random_state, 0]).standard_normal((n_subspaces, ambient_dim, dim)))[0]
    bases = np.ascontiguousarray(bases.transpose(0, 2, 1), dtype=np.float32)
    labels = np.empty(n_points, np.int32)
    rows = max(1, BLOCK_BYTES // (4 * ambient_dim))
    with writing(path), replacing(Path(path)) as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (n_points, ambient_dim)}
        np.lib.format.write_array_header_1_0(file, header)
        for block, start in enumerate(range(0, n_points, rows)):
            stop = min(start + rows, n_points)
            points, labels[start:stop] = _block(bases, rows, stop - start, noise, np.random.default_rng([random_state, 1, block]))
            file.write(points)
            if progress:
                progress(stop, n_points)
    return labels


def _block(bases, rows, wanted, noise, rng):
    """``wanted`` of the ``rows`` points of a block, in random order of subspaces."""
    n_subspaces, dim, width = bases.shape
    labels = rng.integers(n_subspaces, size=rows, dtype=np.int32)[:wanted]
    where = rng.standard_normal((rows, dim), dtype=np.float32)[:wanted]
    points = rng.standard_normal((rows, width), dtype=np.float32)[:wanted]
    points *= np.float32(noise * np.sqrt(dim / width))
    for label in np.unique(labels):
        mine = np.flatnonzero(labels == label)
        points[mine] += where[mine] @ bases[label]
    return np.ascontiguousarray(points), labels


def _check(n_points, n_subspaces, dim, ambient_dim, noise):
    for name, value in {"points": n_points, "subspaces": n_subspaces, "dimensions": dim}.items():
        if value < 1:
            raise ParameterError(f"{value} {name} cannot be drawn; ask for at least 1.")
    if dim > ambient_dim:
        raise ParameterError(f"A subspace of dimension {dim} does not fit into {ambient_dim} features; ask for at most that.")
    if not noise >= 0:
        raise ParameterError(f"noise={noise} is negative; give 0 or more.")
