"""Latent low-rank representation (Liu & Yan 2011): min ‖Z‖_* + ‖L‖_* + λ‖E‖₁  s.t.  X = XZ + LX + E, points in columns.

L is a linear map learned beside the codes; the code of any point x is Lx. Two-block ADMM, {Z, L} against their copies and E. With
X = U S Vᵀ both unknowns lie in its row and column space, where the first block has a closed form entry by entry.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from ...penalties import L1
from ...penalties.nuclear import shrink_singular_values


@dataclass(frozen=True)
class LatentCodes:
    """Z (n, n), L (d, d) and E (d, n), and how many iterations they took."""

    codes: np.ndarray
    map: np.ndarray
    errors: np.ndarray
    iterations: int


def latent_low_rank(X, weight=0.4, tol=1e-4, max_iter=500):
    """Solve it for the columns of X, to relative residuals of ``tol``; μ is balanced as residuals ask."""
    step = _CoupledStep(X)
    U, V = step.U, step.V
    rank, mu = U.shape[1], 1.0
    J, K = np.zeros((rank, X.shape[1])), np.zeros((X.shape[0], rank))
    E, U1, U2, U3 = np.zeros_like(X), np.zeros_like(J), np.zeros_like(K), np.zeros_like(X)
    size = linalg.norm(X) or 1.0
    for iteration in range(1, max_iter + 1):
        W, M, image = step(J - U1, K - U2, X - E + U3)
        J_old, K_old, E_old = J, K, E
        J = shrink_singular_values(W + U1, 1.0 / mu)
        K = shrink_singular_values(M + U2, 1.0 / mu)
        E = L1().prox(X - image + U3, weight / mu)
        U1, U2, U3 = U1 + W - J, U2 + M - K, U3 + X - image - E
        primal = np.sqrt(_sq(W - J) + _sq(M - K) + _sq(X - image - E)) / size
        dual = np.sqrt(_sq(J - J_old) + _sq(K - K_old) + _sq(E - E_old)) / size
        if max(primal, dual) <= tol:
            break
        if iteration % 10 == 0 and not 0.2 < primal / max(dual, 1e-300) < 5.0:
            factor = 2.0 if primal > dual else 0.5
            mu, U1, U2, U3 = mu * factor, U1 / factor, U2 / factor, U3 / factor
    return LatentCodes(V @ W, M @ U.T, X - image, iteration)


class _CoupledStep:
    """argmin ‖W − P‖² + ‖M − Q‖² + ‖USW + MSVᵀ − C‖², with Z = VW and L = MUᵀ.

    In the coordinates of U and V every entry is on its own: s_i w + s_j m should be c, w near p, m near q. Outside of V only W
    can answer, outside of U only M.
    """

    def __init__(self, X):
        U, s, Vt = linalg.svd(X, full_matrices=False)
        kept = s > s[0] * 1e-10
        self.U, self.s, self.V = U[:, kept], s[kept], Vt[kept].T

    def __call__(self, P, Q, C):
        U, s, V = self.U, self.s, self.V
        rows, columns = s[:, None], s[None, :]
        P_in, Q_in, UC = P @ V, U.T @ Q, U.T @ C
        CV = C @ V
        left = (UC @ V - rows * P_in - Q_in * columns) / (1.0 + rows**2 + columns**2)
        W_in, M_in = P_in + rows * left, Q_in + left * columns
        W = self._beside(P, P_in, UC, UC @ V, V.T, rows) + W_in @ V.T
        M = self._beside(Q.T, Q_in.T, CV.T, (U.T @ CV).T, U.T, rows).T + U @ M_in
        return W, M, U @ (rows * W) + (M * columns) @ V.T

    @staticmethod
    def _beside(P, P_in, C, C_in, basis, s):
        """The part outside of the other space: w = p + s(c − sp) / (1 + s²)."""
        P_out, C_out = P - P_in @ basis, C - C_in @ basis
        return P_out + s * (C_out - s * P_out) / (1.0 + s**2)


def _sq(A):
    return float(np.vdot(A, A))
