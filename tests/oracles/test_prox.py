"""Every penalty against convex analysis: Moreau's identity, random competitors, Fenchel and Young."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.penalties import L1, L21, ElasticNet, Nuclear, Rescaled, Scaled, SquaredFrobenius

steps = st.floats(1e-3, 1e3)
seeds = st.integers(0, 2**32 - 1)
KINDS = {
    "dense": lambda rng, shape: rng.standard_normal(shape),
    "whole numbers, many ties": lambda rng, shape: rng.integers(-2, 3, shape).astype(float),
    "rank one": lambda rng, shape: np.outer(rng.standard_normal(shape[0]), rng.standard_normal(shape[1])),
    "zero columns": lambda rng, shape: rng.standard_normal(shape) * rng.integers(0, 2, shape[1]),
    "equal singular values": lambda rng, shape: np.eye(*shape) * rng.choice([-1.0, 1.0], shape[1]),
}


@st.composite
def matrices(draw):
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)))
    kind, magnitude = draw(st.sampled_from(sorted(KINDS))), draw(st.sampled_from([0.0, 1e-3, 1.0, 30.0]))
    return magnitude * KINDS[kind](np.random.default_rng(draw(seeds)), shape)


def onto_singular_value_ball(C):
    U, s, Vt = np.linalg.svd(C, full_matrices=False)
    return (U * np.minimum(s, 1.0)) @ Vt


def elastic_net_dual_prox(C, weight, l1=0.7, l2=0.3):
    """argmin_B weight·Σ(|b|−l1)₊²/(4·l2) + ½‖B−C‖²: inside [−l1, l1] nothing moves, outside a line."""
    slope = weight / (2 * l2)
    outside = np.abs(C) > l1
    return np.where(outside, (C + slope * l1 * np.sign(C)) / (1 + slope), C)


# Each with the prox of weight·R*, from the dual's own definition (for norms: projection on the dual ball).
PENALTIES = {
    "squared_frobenius": (SquaredFrobenius(), lambda C, weight: C / (1 + weight / 2)),
    "l1": (L1(), lambda C, weight: np.clip(C, -1, 1)),
    "l21": (L21(), lambda C, weight: C / np.maximum(1, np.linalg.norm(C, axis=0))),
    "nuclear": (Nuclear(), lambda C, weight: onto_singular_value_ball(C)),
    "elastic_net": (ElasticNet(0.7, 0.3), elastic_net_dual_prox),
}
VALUES = {
    "squared_frobenius": lambda A: sum(a**2 for a in A.flat),
    "l1": lambda A: sum(abs(a) for a in A.flat),
    "l21": lambda A: sum(np.linalg.norm(column) for column in A.T),
    "nuclear": lambda A: np.linalg.norm(A, "nuc"),
    "elastic_net": lambda A: sum(0.7 * abs(a) + 0.3 * a**2 for a in A.flat),
}
each_penalty = pytest.mark.parametrize("name", PENALTIES)


def objective(penalty, B, A, step):
    return step * penalty.value(B) + 0.5 * np.sum((B - A) ** 2)


def size(*arrays):
    return 1.0 + sum(np.linalg.norm(A) for A in arrays)


@each_penalty
@settings(max_examples=50)
@given(A=matrices())
def test_value_is_its_definition(name, A):
    assert PENALTIES[name][0].value(A) == pytest.approx(VALUES[name](A), rel=1e-9, abs=1e-12)


@each_penalty
@settings(max_examples=50)
@given(A=matrices(), step=steps)
def test_moreau_identity(name, A, step):
    """A = prox_{sR}(A) + s·prox_{R*/s}(A/s)."""
    penalty, dual_prox = PENALTIES[name]
    whole = penalty.prox(A, step) + step * dual_prox(A / step, 1 / step)
    assert np.linalg.norm(whole - A) <= 1e-7 * size(A)


@each_penalty
@settings(max_examples=50)
@given(A=matrices(), step=steps, seed=seeds, reach=st.floats(1e-4, 10))
def test_no_competitor_is_better_than_the_prox(name, A, step, seed, reach):
    """Strong convexity: any other C costs at least ½‖C − prox‖² more."""
    penalty = PENALTIES[name][0]
    B = penalty.prox(A, step)
    rng = np.random.default_rng(seed)
    lowest = objective(penalty, B, A, step)
    rounding = 1e-9 * (size(A) ** 2 + abs(lowest))
    for C in (B + reach * rng.standard_normal(A.shape), B * (1 - reach / 20), A, np.zeros_like(A)):
        assert objective(penalty, C, A, step) >= lowest + 0.5 * np.sum((C - B) ** 2) - rounding


@each_penalty
@settings(max_examples=50)
@given(A=matrices(), G=matrices(), shrink=st.floats(0, 1))
def test_fenchel_young_inequality(name, A, G, shrink):
    """R(A) + R*(G) ≥ ⟨A, G⟩ for every pair, inside and outside the domain of R*."""
    penalty = PENALTIES[name][0]
    G = np.resize(G, A.shape)
    inside = G * (shrink / np.maximum(1.0, penalty.excess(G)))
    assert np.isfinite(penalty.conjugate(inside))
    for each in (G, inside):
        assert penalty.value(A) + penalty.conjugate(each) >= np.sum(A * each) - 1e-9 * size(A, each) ** 2


@each_penalty
@settings(max_examples=50)
@given(A=matrices(), step=steps)
def test_fenchel_young_equality_at_the_prox(name, A, step):
    """(A − prox)/s is a subgradient of R at prox, where the inequality is an equality."""
    check_equality_at_the_prox(PENALTIES[name][0], A, step)


@each_penalty
@settings(max_examples=50)
@given(G=matrices())
def test_conjugate_is_the_supremum(name, G):
    """Where R* is finite, some A reaches ⟨G, A⟩ − R(A) = R*(G); where infinite, there is no bound."""
    penalty = PENALTIES[name][0]
    conjugate = penalty.conjugate(G)
    if np.isinf(conjugate):
        # The residual of projecting G onto the dual ball is a direction along which ⟨G, A⟩ outgrows R(A).
        direction = penalty.prox(G, 1.0)
        assert np.sum(G * direction) - penalty.value(direction) > 0
    elif name == "squared_frobenius":
        assert conjugate == pytest.approx(np.sum(G * G / 2) - penalty.value(G / 2), abs=1e-9)
    elif name == "elastic_net":
        maximiser = np.sign(G) * np.maximum(np.abs(G) - 0.7, 0) / 0.6
        reached = np.sum(G * maximiser) - penalty.value(maximiser)
        assert conjugate == pytest.approx(reached, rel=1e-9, abs=1e-9)
    else:
        assert conjugate == 0.0  # reached at A = 0


@each_penalty
@settings(max_examples=50)
@given(A=matrices(), G=matrices(), step=steps, weight=st.floats(1e-2, 1e2))
def test_scaled_follows_from_the_penalty(name, A, G, step, weight):
    """weight·R: value, prox by strong convexity, conjugate weight·R*(·/weight), and its dual ball."""
    penalty = PENALTIES[name][0]
    scaled = Scaled(penalty, weight)
    assert scaled.value(A) == pytest.approx(weight * penalty.value(A))
    B, moved = scaled.prox(A, step), weight * step
    assert np.linalg.norm(B + moved * PENALTIES[name][1](A / moved, 1 / moved) - A) <= 1e-7 * size(A)
    check_conjugate_and_excess(scaled, A, np.resize(G, A.shape), step)


@each_penalty
@settings(max_examples=50)
@given(A=matrices(), G=matrices(), step=steps, scale=st.floats(1e-2, 1e2))
def test_rescaled_follows_from_the_penalty(name, A, G, step, scale):
    """A ↦ R(scale·A): the value, that the prox beats competitors, and Fenchel–Young."""
    penalty = PENALTIES[name][0]
    rescaled = Rescaled(penalty, scale)
    assert rescaled.value(A) == pytest.approx(penalty.value(scale * A))
    B = rescaled.prox(A, step)
    lowest = objective(rescaled, B, A, step)
    rng = np.random.default_rng(0)
    for C in (B + 0.1 * rng.standard_normal(A.shape), B + 1e-3 * rng.standard_normal(A.shape), 0.9 * B, A):
        rounding = 1e-9 * (size(A) ** 2 + abs(lowest))
        assert objective(rescaled, C, A, step) >= lowest + 0.5 * np.sum((C - B) ** 2) - rounding
    check_conjugate_and_excess(rescaled, A, np.resize(G, A.shape), step)


def check_conjugate_and_excess(penalty, A, G, step):
    """Dividing by the excess is enough to enter the domain, and is needed; Fenchel–Young holds, tightly at the prox."""
    excess = penalty.excess(G)
    inside = G / np.maximum(1.0, excess)
    assert np.isfinite(penalty.conjugate(inside))
    assert penalty.value(A) + penalty.conjugate(inside) >= np.sum(A * inside) - 1e-9 * size(A, inside) ** 2
    if np.max(excess) > 1.001:
        assert np.isinf(penalty.conjugate(G))
    check_equality_at_the_prox(penalty, A, step)


def check_equality_at_the_prox(penalty, A, step):
    B = penalty.prox(A, step)
    G = (A - B) / step
    G = G / np.maximum(1.0, penalty.excess(G))  # rounding may leave G a hair outside the dual ball
    slack = penalty.value(B) + penalty.conjugate(G) - np.sum(B * G)
    assert abs(slack) <= 1e-6 * size(A) ** 2 * max(1.0, 1 / step)


@each_penalty
def test_prox_against_cvxpy(name):
    """The definition itself, argmin step·R(B) + ½‖B − A‖², by an interior-point solver."""
    import cvxpy as cp

    A, step = np.random.default_rng(3).standard_normal((4, 5)), 0.8
    B = cp.Variable(A.shape)
    norms = {
        "squared_frobenius": cp.sum_squares(B),
        "l1": cp.sum(cp.abs(B)),
        "l21": cp.sum(cp.norm(B, 2, axis=0)),
        "nuclear": cp.normNuc(B),
        "elastic_net": 0.7 * cp.sum(cp.abs(B)) + 0.3 * cp.sum_squares(B),
    }
    cp.Problem(cp.Minimize(step * norms[name] + 0.5 * cp.sum_squares(B - A))).solve(solver="CLARABEL")
    assert np.allclose(PENALTIES[name][0].prox(A, step), B.value, atol=1e-4)
