"""How good a clustering is when nobody knows the truth: the eigengap, the stability of labels, the error of f at new points."""

from itertools import combinations

import numpy as np

from ..coding.others import code_by
from ..errors import ParameterError
from ..metrics import adjusted_rand_index
from ..spectral.embedding import relative_gaps

HELD_OUT = 200


def relative_eigengap(eigenvalues, k):
    """(1 − σ²_{k+1}) / (1 − σ²_k): how clearly the spectrum ends after k clusters; None where it was not followed so far."""
    gaps = relative_gaps(eigenvalues)
    return float(gaps[k - 1]) if 1 <= k <= len(gaps) else None


def stability(labellings):
    """The mean adjusted Rand index over all pairs of labellings of the same points; None of a single one."""
    pairs = [adjusted_rand_index(a, b) for a, b in combinations(labellings, 2)]
    return float(np.mean(pairs)) if pairs else None


def held_out_code_error(model, source, rng, count=HELD_OUT):
    """‖Z − f(Y)‖ / ‖Z‖ at points Y that were no representatives, Z their classical codes by the representatives.

    ``model`` is a fitted LeaSC without preprocessing. None where there is no such point, or where it would have no code.
    """
    from ..stages.points import prepared

    others = np.setdiff1d(np.arange(len(source)), model.representative_indices_, assume_unique=True)
    if not others.size:
        return None
    chosen = np.sort(rng.choice(others, min(count, len(others)), replace=False))
    points = prepared(source.take(chosen), 0, model.unit_rows).astype(np.float64)
    settings = model.rpcm_._coding().of_problem()
    problem = {name: settings[name] for name in ("alpha_bar", "alpha", "beta", "noise", "tol")}
    try:
        codes = code_by(model.representatives_.T.astype(np.float64), points.T, model.variant, **problem).T
    except ParameterError:
        return None
    size = np.linalg.norm(codes)
    return float(np.linalg.norm(codes - model.network_(points)) / size) if size > 0 else None
