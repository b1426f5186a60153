"""The top layer in closed form: a ridge regression whose strength is chosen by leave-one-out error."""

import numpy as np
from scipy import linalg

STRENGTHS = 10.0 ** np.arange(-8, 1)


def ridge_top(H, Z):
    """argmin_B ‖Z − HB‖² + s‖B‖², s by the exact leave-one-out error over a grid.

    Works in the smaller of the two Gram matrices (the dual where points are fewer than hidden units).

    Returns
    -------
    B : (h, n) array
    error : float
        Relative leave-one-out error ‖Z − Z₋ᵢ‖ / ‖Z‖ at the strength chosen.
    """
    H, Z = np.asarray(H, dtype=np.float64), np.asarray(Z, dtype=np.float64)
    dual = H.shape[0] <= H.shape[1]
    spectrum, V = linalg.eigh(H @ H.T if dual else H.T @ H, driver="evd", check_finite=False)
    spectrum = np.maximum(spectrum, 0.0)
    U = V if dual else (H @ V) / np.sqrt(np.maximum(spectrum, np.finfo(float).tiny))
    UZ = U.T @ Z
    strengths = STRENGTHS * max(spectrum[-1], np.finfo(float).tiny)
    errors = [_leave_one_out(U, UZ, Z, spectrum, s) for s in strengths]
    best = int(np.argmin(errors))
    s = strengths[best]
    if dual:
        B = H.T @ (U @ (UZ / (spectrum + s)[:, None]))
    else:
        B = V @ ((V.T @ (H.T @ Z)) / (spectrum + s)[:, None])
    return B, errors[best]


def _leave_one_out(U, UZ, Z, spectrum, strength):
    """‖Z − Z₋ᵢ‖ / ‖Z‖ where row i is predicted without itself: residual / (1 − leverage), in closed form."""
    shrink = spectrum / (spectrum + strength)
    leverage = np.einsum("ij,j,ij->i", U, shrink, U)
    residual = (Z - U @ (shrink[:, None] * UZ)) / np.maximum(1.0 - leverage, 1e-8)[:, None]
    return float(linalg.norm(residual) / max(linalg.norm(Z), np.finfo(float).tiny))
