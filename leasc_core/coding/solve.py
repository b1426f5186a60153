"""One door to the solvers: from a variant's name and its weights to codes."""

import numpy as np

from ..errors import ParameterError
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
    solver="exact",
    tol=1e-3,
    max_iter=None,
    schedule=None,
    predictor=None,
    reporter=None,
):
    """The codes Z (n, n) and errors E (d, n) of the columns of X under Eq. 8 with f fixed.

    The closed form is taken where there is one; otherwise ``solver`` decides. Returns a ``CodingResult``.
    """
    if solver not in SOLVERS:
        raise ParameterError(f"solver={solver!r} is unknown; choose 'exact' (certified) or 'paper' (Algorithm 2).")
    if variant not in VARIANTS:
        raise ParameterError(f"variant={variant!r} is unknown; choose one of {', '.join(map(repr, VARIANTS))}.")
    if VARIANTS[variant].uses_alpha and not alpha > 0:
        raise ParameterError(f"alpha={alpha!r} must be greater than 0 for the elastic net; without it use variant='l1'.")
    if solver == "paper":
        R1, R2_weight = VARIANTS[variant].first(alpha_bar), alpha if VARIANTS[variant].uses_alpha else 0.0
        return solve_paper(
            X, R1, noise_penalty(noise, beta), zero_diagonal, R2_weight, schedule, max_iter or 1000, predictor, reporter
        )
    if variant == "f2" and noise in ("f2", "none"):
        return _closed_form(X, noise, alpha_bar, beta, zero_diagonal)
    R, N = code_penalty(variant, alpha_bar, alpha), noise_penalty(noise, beta)
    if variant == "nuclear" and N is not None and not zero_diagonal:
        return _in_row_space(X, R, N, tol, max_iter or 2000, reporter)
    return solve_exact(CodingProblem(X, X, R, N, zero_diagonal), tol, max_iter or 2000, reporter)


def _closed_form(X, noise, alpha_bar, beta, zero_diagonal):
    """``f2`` without iterations; nothing is left to certify, so the gap is 0."""
    if noise == "f2":
        Z = ridge_codes(X, alpha_bar / beta, zero_diagonal)
        return CodingResult(Z, X - X @ Z, 0.0, [], True)
    Z = ExactExpression(X, zero_diagonal).project(np.zeros((X.shape[1],) * 2))
    return CodingResult(Z, np.zeros_like(X), 0.0, [], True)


def _in_row_space(X, R, N, tol, max_iter, reporter):
    """``nuclear``: the optimum lies in the row space of X, Z = VW, where it is a smaller problem with the same value."""
    V = row_space(X)
    small = solve_exact(CodingProblem(X @ V, X, R, N), tol, max_iter, reporter, lift=lambda W: V @ W)
    return CodingResult(V @ small.codes, small.errors, small.gap, small.history, small.converged)
