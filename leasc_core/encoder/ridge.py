"""The top layer in closed form: a ridge regression whose strength is chosen by leave-one-out error."""

import numpy as np
from scipy import linalg

# Relative to the largest eigenvalue. Stronger ridges can win a little error on codes that are hard to learn (sparse ones),
# but only by forgetting everything except the mean code, and with it the clusters.
STRENGTHS = 10.0 ** np.arange(-8, -2)
SKETCH = 64


def ridge_top(H, Z):
    """argmin_B ‖Z − HB‖² + s‖B‖², s by the exact leave-one-out error over a grid.

    Returns
    -------
    B : (h, n) array
    error : float
        Relative leave-one-out error ‖Z − Z₋ᵢ‖ / ‖Z‖ at the strength chosen.
    """
    strength, error = choose_strength(H, Z)
    return ridge_solve(H, Z, strength), error


def ridge_solve(H, Z, strength):
    """B for s = ``strength``·‖H‖²_F, in the smaller of the two Gram matrices (the dual where points are fewer than units)."""
    H, Z = np.asarray(H, dtype=np.float64), np.asarray(Z, dtype=np.float64)
    dual = H.shape[0] <= H.shape[1]
    gram = H @ H.T if dual else H.T @ H
    gram[np.diag_indices_from(gram)] += max(strength * np.vdot(H, H), 1e-100)
    factor = linalg.cho_factor(gram, overwrite_a=True, check_finite=False)
    if dual:
        return H.T @ linalg.cho_solve(factor, Z, check_finite=False)
    return linalg.cho_solve(factor, H.T @ Z, check_finite=False)


def choose_strength(H, Z):
    """The strength, relative to ‖H‖²_F, of the lowest leave-one-out error, and that error.

    Where codes are wide it is judged on 64 random combinations of their columns, which keep the size of an error.
    """
    H, Z = np.asarray(H, dtype=np.float64), np.asarray(Z, dtype=np.float64)
    dual = H.shape[0] <= H.shape[1]
    spectrum, V = linalg.eigh(H @ H.T if dual else H.T @ H, driver="evd", check_finite=False)
    spectrum = np.maximum(spectrum, 0.0)
    U = V if dual else (H @ V) / np.sqrt(np.maximum(spectrum, np.finfo(float).tiny))
    strengths = STRENGTHS * max(spectrum[-1], 1e-100)
    seen = _sketch(Z)
    errors = [_leave_one_out(U, U.T @ seen, seen, spectrum, s) for s in strengths]
    best = int(np.argmin(errors))
    return strengths[best] / max(spectrum.sum(), 1e-100), errors[best]


def _sketch(Z):
    """Z itself, or random combinations of its columns with the same expected Frobenius norm."""
    if Z.shape[1] <= SKETCH:
        return Z
    return Z @ (np.random.default_rng(0).standard_normal((Z.shape[1], SKETCH)) / np.sqrt(SKETCH))


def _leave_one_out(U, UZ, Z, spectrum, strength):
    """‖Z − Z₋ᵢ‖ / ‖Z‖ where row i is predicted without itself: residual / (1 − leverage), in closed form."""
    shrink = spectrum / (spectrum + strength)
    leverage = np.einsum("ij,j,ij->i", U, shrink, U)
    residual = (Z - U @ (shrink[:, None] * UZ)) / np.maximum(1.0 - leverage, 1e-8)[:, None]
    return float(linalg.norm(residual) / max(linalg.norm(Z), np.finfo(float).tiny))
