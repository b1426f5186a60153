"""Shapes, weights and edges of the penalties, and the promise a new one must keep."""

import numpy as np
import pytest

import leasc_core.penalties as room
from leasc_core.penalties import L1, L21, ElasticNet, Nuclear, Pinned, Scaled, SquaredFrobenius
from leasc_core.penalties.nuclear import shrink_singular_values

PENALTIES = [SquaredFrobenius(), L1(), L21(), Nuclear(), ElasticNet(0.5, 2.0)]
each = pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: type(p).__name__)


def matrix(shape=(4, 6), seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def test_every_public_penalty_is_tested_here():
    wrappers = {"Penalty", "Scaled", "Rescaled", "Pinned"}
    assert {type(p).__name__ for p in PENALTIES} == set(room.__all__) - wrappers


@each
def test_what_every_penalty_can_do(penalty):
    A = matrix()
    assert isinstance(penalty.value(A), float)
    assert isinstance(penalty.conjugate(A), float)
    assert penalty.prox(A, 0.3).shape == A.shape
    assert np.shape(penalty.excess(A)) in {(), (A.shape[1],)}
    before = A.copy()
    penalty.prox(A, 0.3)
    penalty.excess(A)
    assert np.array_equal(A, before)


@each
def test_zero(penalty):
    zero = np.zeros((3, 5))
    assert penalty.value(zero) == 0.0
    assert not penalty.prox(zero, 1.0).any()
    assert penalty.conjugate(zero) == 0.0


@each
def test_a_pinned_row_is_held_at_zero_and_free_of_cost(penalty):
    A, pinned = matrix(), Pinned(penalty)
    assert pinned.value(A) == penalty.value(A[:-1]) and pinned.conjugate(A) == penalty.conjugate(A[:-1])
    assert np.array_equal(pinned.excess(A), penalty.excess(A[:-1]))
    moved = pinned.prox(A, 0.3)
    assert np.array_equal(moved[:-1], penalty.prox(A[:-1], 0.3)) and not moved[-1].any()


@each
def test_steps_of_nothing_and_of_everything(penalty):
    A = matrix()
    assert np.allclose(penalty.prox(A, 0.0), A, atol=1e-7)
    assert np.allclose(penalty.prox(A, 1e9), 0.0, atol=1e-6)


@each
def test_prox_is_firmly_nonexpansive(penalty):
    """‖prox A − prox B‖² ≤ ⟨prox A − prox B, A − B⟩."""
    for seed in range(20):
        A, B = matrix(seed=seed), matrix(seed=seed + 100)
        moved = penalty.prox(A, 0.4) - penalty.prox(B, 0.4)
        assert np.sum(moved**2) <= np.sum(moved * (A - B)) + 1e-10


@each
def test_columns_come_alone_or_not_at_all(penalty):
    """Where ``excess`` has one number a column, the penalty is a sum over columns."""
    A = matrix()
    if np.shape(penalty.excess(A)):
        apart = sum(penalty.value(column[:, None]) for column in A.T)
        assert penalty.value(A) == pytest.approx(apart)


@pytest.mark.parametrize("norm", [L1(), L21(), Nuclear()])
def test_excess_is_the_dual_norm(norm):
    """sup ⟨A, G⟩ over R(A) ≤ 1, approached by the best of many random A and by a norming one."""
    G = matrix()
    largest = np.max(norm.excess(G))
    for seed in range(50):
        A = matrix(seed=seed)
        assert np.sum(A * G) / norm.value(A) <= largest + 1e-12
    expected = {"L1": np.abs(G).max(), "L21": np.linalg.norm(G, axis=0).max(), "Nuclear": np.linalg.norm(G, 2)}
    assert largest == pytest.approx(expected[type(norm).__name__])


def test_dual_ball_has_a_sharp_border():
    for norm in (L1(), L21(), Nuclear()):
        G = matrix() / np.max(norm.excess(matrix()))
        assert norm.conjugate(0.999999 * G) == 0.0
        assert norm.conjugate(1.000001 * G) == np.inf
        assert Scaled(norm, 5.0).conjugate(4.99 * G) == 0.0
        assert Scaled(norm, 5.0).conjugate(5.01 * G) == np.inf


@pytest.mark.parametrize("shape", [(30, 4), (4, 30), (12, 12), (1, 5), (5, 1)])
@pytest.mark.parametrize("amount", [0.0, 0.5, 3.0, 100.0])
def test_singular_values_are_shrunk_as_by_an_svd(shape, amount):
    A = matrix(shape)
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    assert np.allclose(shrink_singular_values(A, amount), (U * np.maximum(s - amount, 0)) @ Vt, atol=1e-10)


def test_singular_values_of_very_different_size():
    """The Gram matrix squares the spread: six decades are still exact to the root of the machine's precision."""
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.standard_normal((8, 8)))[0] for _ in range(2))
    s = np.logspace(0, -6, 8)
    A = (U * s) @ V.T
    expected = (U * np.maximum(s - 1e-3, 0)) @ V.T
    assert np.abs(shrink_singular_values(A, 1e-3) - expected).max() <= 1e-8


@pytest.mark.parametrize("penalty", PENALTIES[:3] + PENALTIES[4:], ids=lambda p: type(p).__name__)
def test_no_columns_at_all(penalty):
    empty = np.zeros((3, 0))
    assert penalty.value(empty) == 0.0
    assert penalty.conjugate(empty) == 0.0
    assert penalty.prox(empty, 1.0).shape == (3, 0)
