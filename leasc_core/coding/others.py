"""Classical codes of points by others that are fixed: what f is to predict at points it was not taught (Eq. 8 without f)."""

from dataclasses import replace

import numpy as np
from scipy import linalg

from ..errors import ParameterError
from .exact import solve_exact
from .problem import CodingProblem, code_penalty, noise_penalty


def code_by(dictionary, points, variant, *, alpha_bar=1.0, alpha=1.0, beta=1.0, noise="f2", tol=1e-2, max_iter=500):
    """Codes Z (r, n) of the columns of ``points`` (d, n) by the columns of ``dictionary`` (d, r).

    Closed form for ``f2``; otherwise to a relative duality gap of ``tol``. Plain PCM (``noise="none"``) is refused: a point
    outside the span of the dictionary has no such code.
    """
    if noise == "none":
        raise ParameterError("noise='none' gives no codes to points outside the representatives' span; choose another noise.")
    if variant == "f2" and noise == "f2":
        return _ridge(dictionary, points, alpha_bar / beta)
    problem = CodingProblem(dictionary, points, code_penalty(variant, alpha_bar, alpha), noise_penalty(noise, beta))
    if variant != "nuclear":
        return solve_exact(problem, tol, max_iter).codes
    V = row_space(dictionary)
    return V @ solve_exact(replace(problem, dictionary=dictionary @ V), tol, max_iter).codes


def _ridge(dictionary, points, ridge):
    """(AᵀA + ridge·I)⁻¹AᵀX, by the smaller of the two Grams."""
    d, r = dictionary.shape
    if d < r:
        return dictionary.T @ linalg.solve(dictionary @ dictionary.T + ridge * np.eye(d), points, assume_a="pos")
    return linalg.solve(dictionary.T @ dictionary + ridge * np.eye(r), dictionary.T @ points, assume_a="pos")


def row_space(A):
    """Where the codes of least nuclear norm lie."""
    _, s, Vt = linalg.svd(A, full_matrices=False, check_finite=False)
    return Vt[s > s[0] * 1e-10].T if s[0] > 0 else Vt[:1].T
