"""Codes that need no iteration: the squared Frobenius norm with squared Frobenius noise, or none (plain PCM)."""

import numpy as np
from scipy import linalg

from ..errors import DataError

# Of squares up to so many times the ridge, 16 digits leave at least 10.
WELL_SCALED = 1e6


def ridge_codes(X, ridge, zero_diagonal, affine=False):
    """``f2``: argmin ‖Z‖²_F + ‖X − XZ‖²_F / ridge, ridge = ᾱ/β.

    With M = (XᵀX + ridge·I)⁻¹: Z = −M diag(M)⁻¹ off the diagonal, or Z = M XᵀX without the constraint. Both from the
    singular values of X, so that nothing is lost where they are large beside the ridge. ``affine`` asks 1ᵀZ = 1ᵀ of them: M then
    becomes M − M11ᵀM / 1ᵀM1, its limit as a row of equal numbers without noise is added to X.
    """
    if not (zero_diagonal or affine) and np.vdot(X, X) <= WELL_SCALED * ridge:
        return _by_cholesky(X, ridge)
    _, s, Vt = linalg.svd(X, full_matrices=False, check_finite=False)
    if not (zero_diagonal or affine):
        return (Vt.T * (s**2 / (s**2 + ridge))) @ Vt
    M = (Vt.T * (ridge / (s**2 + ridge))) @ Vt  # ridge·M on the row space; the identity on the rest
    if Vt.shape[0] < Vt.shape[1]:
        M += np.eye(Vt.shape[1]) - Vt.T @ Vt
    if affine:
        sums = M.sum(axis=0)
        M -= np.outer(sums, sums / sums.sum())
    if not zero_diagonal:
        return np.eye(len(M)) - M
    Z = -M / np.diag(M)
    np.fill_diagonal(Z, 0.0)
    return Z


def _by_cholesky(X, ridge):
    """(XᵀX + ridge·I)⁻¹XᵀX by the smaller of the two Grams, where squares lose nothing beside the ridge."""
    gram = X @ X.T if len(X) < X.shape[1] else X.T @ X
    shifted = gram.copy()
    shifted[np.diag_indices_from(shifted)] += ridge
    if len(X) < X.shape[1]:
        half = linalg.solve_triangular(linalg.cholesky(shifted, lower=True, check_finite=False), X, lower=True)
        return half.T @ half
    return linalg.cho_solve(linalg.cho_factor(shifted, overwrite_a=True, check_finite=False), gram, check_finite=False)


class ExactExpression:
    """The set {Z : X = XZ, diag(Z) = 0 where asked} of plain PCM, and the nearest point of it."""

    def __init__(self, X, zero_diagonal):
        U, s, Vt = linalg.svd(X, full_matrices=False, check_finite=False)
        rank = int((s > s[0] * max(X.shape) * np.finfo(float).eps).sum()) if s.size and s[0] > 0 else 0
        self.row_space, self.pseudo_inverse = Vt[:rank].T, U[:, :rank] / s[:rank]
        self.particular = self.row_space @ self.row_space.T  # X⁺X
        self.zero_diagonal = zero_diagonal
        if zero_diagonal:
            self.null_projector = np.eye(X.shape[1]) - self.particular
            self.null_diagonal = np.diag(self.null_projector).copy()
            self._check_every_point_is_expressible()

    def _check_every_point_is_expressible(self):
        alone = np.flatnonzero(self.null_diagonal < 1e-9)
        if alone.size:
            raise DataError(
                f"Point {alone[0]} is not a combination of the other representatives ({alone.size} such points), so "
                "X = XZ with a zero diagonal has no solution; allow noise, set zero_diagonal=False, or take more points."
            )

    def project(self, Z):
        """The nearest Z in the set: leave the null space of X free, then clear the diagonal along it."""
        Z = Z - self.row_space @ (self.row_space.T @ Z) + self.particular
        if self.zero_diagonal:
            Z = Z - self.null_projector * (np.diag(Z) / self.null_diagonal)
        return Z

    def multiplier(self, Q1):
        """Q and λ whose XᵀQ + Diag(λ) is nearest to Q1, the multiplier of Z = J: PCM's dual candidate."""
        diagonal = None
        if self.zero_diagonal:
            free = Q1 - self.row_space @ (self.row_space.T @ Q1)
            diagonal = np.diag(free) / self.null_diagonal
            Q1 = Q1 - np.diag(diagonal)
        return self.pseudo_inverse @ (self.row_space.T @ Q1), diagonal
