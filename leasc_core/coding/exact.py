"""``solver="exact"``: two-block ADMM, {Z} against {J, E}, that ends on a duality-gap certificate."""

from dataclasses import replace

import numpy as np
from scipy import linalg

from ..events import CodeSnapshot, CodingIteration, Reporter
from ..penalties import Rescaled
from ..penalties.l21 import column_norms
from .closed_form import ExactExpression
from .problem import CodingProblem, CodingResult, relative_gap

RELAXATION = 1.6
CHECK_EVERY = 10


class RidgeStep:
    """The Z-step with noise: (I + AᵀA) Z = P + AᵀC, by a factorisation made once (Woodbury where d < r)."""

    def __init__(self, problem: CodingProblem):
        A = self.A = problem.dictionary
        self.wide = A.shape[0] < A.shape[1]
        self.gram = A @ A.T if self.wide else A.T @ A
        self.factor = linalg.cho_factor(self.gram + np.eye(len(self.gram)), check_finite=False)
        self.inverse = None
        if problem.zero_diagonal and not problem.diagonal_is_separable:
            self.inverse = self._solve(np.eye(A.shape[1]), np.zeros(A.shape))[0]

    def _solve(self, P, C):
        """Z and AZ without the diagonal constraint."""
        if self.wide:
            image = linalg.cho_solve(self.factor, self.A @ P + self.gram @ C, check_finite=False)
            return P + self.A.T @ (C - image), image
        Z = linalg.cho_solve(self.factor, P + self.A.T @ C, check_finite=False)
        return Z, self.A @ Z

    def __call__(self, P, C):
        Z, image = self._solve(P, C)
        if self.inverse is not None:
            Z -= self.inverse * (np.diag(Z) / np.diag(self.inverse))
            image = self.A @ Z
        return Z, image

    def multiplier(self, Q1, Q2):
        """The multipliers of X = AZ + E and of the diagonal, from those of Z = J and X = AZ + E."""
        return Q2, np.diag(Q1 - self.A.T @ Q2) if self.inverse is not None else None


class ProjectionStep:
    """The Z-step of plain PCM: the nearest Z with X = XZ (and a zero diagonal)."""

    def __init__(self, problem: CodingProblem):
        self.X = problem.points
        self.expression = ExactExpression(self.X, problem.zero_diagonal)

    def __call__(self, P, C):
        return self.expression.project(P), self.X

    def multiplier(self, Q1, Q2):
        return self.expression.multiplier(Q1)


class Balancer:
    """Keeps the primal and dual residuals within a factor of each other by moving μ, ever more rarely."""

    def __init__(self, mu):
        self.mu, self.every, self.next_at = mu, CHECK_EVERY, CHECK_EVERY

    def factor(self, iteration, primal, dual):
        """What to multiply μ by now (1 almost always)."""
        if iteration < self.next_at or primal <= 0 or dual <= 0:
            return 1.0
        self.next_at = iteration + self.every
        self.every = int(self.every * 1.3) + 1
        factor = float(np.clip(np.sqrt(primal / dual), 0.1, 10.0))
        if 0.7 < factor < 1.4:
            return 1.0
        self.mu *= factor
        return factor


def natural_unit(problem: CodingProblem):
    """The unit to measure X in: its typical column, less where noise is dear; iterations then depend on the problem alone."""
    size = float(np.median(column_norms(problem.points))) or 1.0
    weight = problem.noise.weight if problem.noise is not None else 0.0
    return size / np.sqrt(max(1.0, weight * size))


def solve_exact(problem, tol=1e-4, max_iter=2000, reporter=None, mu=10.0, lift=None):
    """Minimise a :class:`CodingProblem` to a relative duality gap of ``tol``.

    Parameters
    ----------
    lift : callable or None
        Turns the unknowns into codes for the snapshots, where the problem was reduced.

    Returns
    -------
    CodingResult
        ``converged`` is False where ``max_iter`` came first or a listener stopped the run.
    """
    unit = natural_unit(problem)
    noise = Rescaled(problem.noise, unit) if problem.noise is not None else None
    scaled = replace(problem, dictionary=problem.dictionary / unit, points=problem.points / unit, noise=noise)

    def snapshot(iteration, codes, errors):
        return CodeSnapshot(iteration, (lift(codes) if lift else codes).T, unit * errors[: len(errors) - problem.affine].T)

    result = _two_block_admm(scaled, tol, max_iter, reporter or Reporter(), mu, snapshot)
    return replace(result, errors=unit * result.errors)


def _two_block_admm(problem, tol, max_iter, reporter, mu, snapshot):
    """{Z} against {J, E} with over-relaxation and a balanced μ; U are the multipliers divided by μ."""
    X, noise = problem.points, problem.noise
    step = RidgeStep(problem) if noise else ProjectionStep(problem)
    feasible_copy = noise is not None and (problem.diagonal_is_separable or not problem.zero_diagonal)
    clear_diagonal = problem.zero_diagonal and problem.diagonal_is_separable
    balance = Balancer(mu)
    J = np.zeros((problem.dictionary.shape[1], X.shape[1]))
    U1, E, U2 = np.zeros_like(J), np.zeros_like(X), np.zeros_like(X)
    history, best = [], _Best()

    for iteration in range(1, max_iter + 1):
        mu = balance.mu
        Z, image = step(J - U1, X - E + U2)
        Z_relaxed = RELAXATION * Z + (1 - RELAXATION) * J
        image_relaxed = RELAXATION * image + (1 - RELAXATION) * (X - E)
        J_old, E_old = J, E
        J = problem.codes.prox(Z_relaxed + U1, 1 / mu)
        if clear_diagonal:
            np.fill_diagonal(J, 0.0)
        if noise:
            E = noise.prox(X - image_relaxed + U2, 1 / mu)
            U2 = U2 + (X - image_relaxed - E)
        U1 = U1 + (Z_relaxed - J)

        primal = np.sqrt(_sq(Z - J) + (_sq(X - image - E) if noise else 0.0))
        dual = np.sqrt(_sq(J - J_old) + _sq(E - E_old))
        if iteration % CHECK_EVERY == 0 or iteration == max_iter:
            candidate = problem.feasible(J if feasible_copy else Z)
            errors = problem.errors(candidate) if noise else np.zeros_like(X)
            terms = problem.terms(candidate, errors)
            best.update(candidate, errors, terms, problem.dual_bound(*step.multiplier(mu * U1, mu * U2)))
            event = CodingIteration(iteration, float(primal), sum(terms), *terms, mu, best.gap)
            history.append(event)
            reporter(event)
            if reporter.listening:
                reporter(snapshot(iteration, candidate, errors))
            if best.gap <= tol or reporter.stop_requested:
                break
        factor = balance.factor(iteration, primal, dual)
        if factor != 1.0:
            U1, U2 = U1 / factor, U2 / factor

    return CodingResult(best.codes, best.errors, best.gap, history, best.gap <= tol)


class _Best:
    """The best primal point and the best dual bound seen so far; both are valid, so their gap is."""

    def __init__(self):
        self.codes, self.errors, self.objective, self.bound = None, None, np.inf, -np.inf

    def update(self, codes, errors, terms, bound):
        if sum(terms) < self.objective:
            self.codes, self.errors, self.objective = codes, errors, sum(terms)
        self.bound = max(self.bound, bound)

    @property
    def gap(self):
        return relative_gap(self.objective, self.bound)


def _sq(A):
    """‖A‖²_F."""
    return float(np.vdot(A, A))
