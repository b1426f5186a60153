"""One door to the solvers: from a variant's name and its weights to codes."""

from dataclasses import replace

import numpy as np

from ..errors import ParameterError
from ..penalties import Pinned
from ..penalties.l21 import column_norms
from .closed_form import ExactExpression, ridge_codes
from .exact import solve_exact
from .others import row_space
from .paper import solve_paper
from .problem import CodingProblem, CodingResult, code_penalty, noise_penalty
from .variants import VARIANTS

SOLVERS = ("exact", "paper")


def solve_codes(
    X,
    variant,
    *,
    alpha_bar=1.0,
    alpha=1.0,
    beta=1.0,
    noise="f2",
    zero_diagonal=True,
    affine=False,
    solver="exact",
    tol=1e-3,
    max_iter=None,
    schedule=None,
    predictor=None,
    reporter=None,
):
    """The codes Z (n, n) and errors E (d, n) of the columns of X under Eq. 8 with f fixed; ``affine`` codes sum to one.

    The closed form is taken where there is one; otherwise ``solver`` decides. Returns a ``CodingResult``.
    """
    if solver not in SOLVERS:
        raise ParameterError(f"solver={solver!r} is unknown; choose 'exact' (certified) or 'paper' (Algorithm 2).")
    if variant not in VARIANTS:
        raise ParameterError(f"variant={variant!r} is unknown; choose one of {', '.join(map(repr, VARIANTS))}.")
    if VARIANTS[variant].uses_alpha and not alpha > 0:
        raise ParameterError(f"alpha={alpha!r} must be greater than 0 for the elastic net; without it use variant='l1'.")
    if variant == "f2" and noise == "f2" and solver == "exact":
        Z = ridge_codes(X, alpha_bar / beta, zero_diagonal, affine)
        return CodingResult(Z, X - X @ Z, 0.0, [], True)
    width, N = len(X), noise_penalty(noise, beta)
    if affine:
        X, N = with_sums(X), N and Pinned(N)
    if solver == "paper":
        R1, R2_weight = VARIANTS[variant].first(alpha_bar), alpha if VARIANTS[variant].uses_alpha else 0.0
        result = solve_paper(X, R1, N, zero_diagonal, R2_weight, schedule, max_iter or 1000, predictor, reporter)
    elif variant == "f2" and N is None:
        Z = ExactExpression(X, zero_diagonal).project(np.zeros((X.shape[1],) * 2))
        result = CodingResult(Z, np.zeros_like(X), 0.0, [], True)
    else:
        R, steps = code_penalty(variant, alpha_bar, alpha), (tol, max_iter or 2000, reporter)
        if variant == "nuclear" and N is not None and not zero_diagonal:
            result = _in_row_space(X, R, N, affine, *steps)
        else:
            result = solve_exact(CodingProblem(X, X, R, N, zero_diagonal, affine), *steps)
    return replace(result, errors=result.errors[:width])


def with_sums(X: np.ndarray) -> np.ndarray:
    """Columns with one more row of equal numbers, about as large as the columns: Z that keeps it without noise sums to one."""
    return np.vstack([X, np.full((1, X.shape[1]), float(np.median(column_norms(X))) or 1.0)])


def _in_row_space(X, R, N, affine, tol, max_iter, reporter):
    """``nuclear``: the optimum lies in the row space of X, Z = VW, where it is a smaller problem with the same value."""
    V = row_space(X)
    problem = CodingProblem(X @ V, X, R, N, affine=affine)
    small = solve_exact(problem, tol, max_iter, reporter, lift=lambda W: V @ W)
    return CodingResult(V @ small.codes, small.errors, small.gap, small.history, small.converged)
