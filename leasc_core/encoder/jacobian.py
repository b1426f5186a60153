"""Derivatives of f in closed form: Jacobians, their norms, and their exact stand-ins between two points.

For rows y, f(y) = g(… g(y W₁) …) W_top, so the Jacobian is Jᵀ = W₁ D₁ W₂ D₂ … W_top with the slopes of g on the diagonals D.
Between two points the same product with the slopes of *chords* gives f(y) − f(x) = J̄(y − x) exactly, at kinks too.
"""

import numpy as np

from ..errors import DataError, ParameterError
from .mlp import ACTIVATIONS

# Numbers a block of products may hold, and the chord below which its slope is that of the tangent at its middle.
CELLS, SHORTEST_CHORD = 4_000_000, 1e-5
STEEPEST = {"relu": 1.0, "tanh": 1.0, "sigmoid": 0.25, "linear": 1.0}


def jacobians(network, points):
    """∂f/∂y at every row of ``points``: (m, width of the codes, n_features), in double precision; ReLU has slope 0 at 0."""
    weights, points = _doubles(network), _checked(network, points)
    slopes = _slopes_at(network.activation, weights, points)
    return np.concatenate([_product(weights, *part).transpose(0, 2, 1) for part in _parts(weights, slopes, len(points))])


def jacobian_norms(network, points):
    """‖∂f/∂y‖_F at every row of ``points``, without forming the Jacobians."""
    weights, points = _doubles(network), _checked(network, points)
    return _norms(weights, _slopes_at(network.activation, weights, points), len(points))


def chord_norms(network, first, second):
    """‖J̄‖_F for rows x of ``first`` and y of ``second``, where f(y) − f(x) = J̄(y − x) exactly.

    With one hidden layer J̄ is the mean Jacobian on the segment from x to y. ‖f(y) − f(x)‖ ≤ ‖J̄‖_F‖y − x‖ holds always: it is
    Theorem 1 without a remainder.
    """
    weights = _doubles(network)
    before = [_before(network.activation, weights, _checked(network, ends)) for ends in (first, second)]
    slopes = [_chord_slopes(network.activation, a, b) for a, b in zip(*before, strict=True)]
    return _norms(weights, slopes, len(np.asarray(first)))


def crossed_units(network, first, second):
    """How many ReLU units have their kink between x and y, for rows x of ``first`` and y of ``second``.

    None for other activations, which have no kink. Zero is exact at any depth: while no unit of a layer changes side, the next
    layer sees a straight line. Then f is linear from x to y.
    """
    if network.activation != "relu":
        return None
    weights = _doubles(network)
    before = [_before("relu", weights, _checked(network, ends)) for ends in (first, second)]
    counts = np.zeros(len(np.asarray(first)), dtype=np.int64)
    for a, b in zip(*before, strict=True):
        counts += np.count_nonzero((a > 0) != (b > 0), axis=1)
    return counts


def lipschitz_bound(network):
    """A number that ‖f(y) − f(x)‖/‖y − x‖ never exceeds anywhere: the spectral norms of all layers, times the steepest slopes."""
    sizes = [np.linalg.norm(W, 2) for W in _doubles(network)]
    return float(np.prod(sizes) * STEEPEST[network.activation] ** (len(sizes) - 1))


def _norms(weights, slopes, count):
    """‖W₁D₁…W_top‖_F for the slopes of each point; a triangle in place of an outer layer has the same norms and fewer rows."""
    if len(weights) == 2:
        return _norms_of_one_layer(weights, slopes[0])
    narrow = [*weights]
    if len(weights) > 1:
        narrow[0] = _triangle(weights[0])
        narrow[-1] = _triangle(weights[-1].T).T
    return np.concatenate([np.linalg.norm(_product(narrow, *part), axis=(1, 2)) for part in _parts(narrow, slopes, count)])


def _norms_of_one_layer(weights, slopes):
    """‖W₁DW₂‖²_F = gᵀ(W₁ᵀW₁ ∘ W₂W₂ᵀ)g for D = diag(g): one quadratic form a point, however wide the ends."""
    first, second = weights
    form = (first.T @ first) * (second @ second.T)
    squares = np.einsum("ij,ij->i", slopes @ form, slopes)
    return np.sqrt(np.maximum(squares, 0.0))


def _triangle(W):
    """R of W = QR where that has fewer rows."""
    return np.linalg.qr(W, mode="r") if W.shape[0] > W.shape[1] else W


def _product(weights, slopes, count):
    """W₁D₁W₂…W_top for a block of so many points: (count, rows of W₁, columns of W_top)."""
    product = np.broadcast_to(weights[0], (count, *weights[0].shape))
    for W, slope in zip(weights[1:], slopes, strict=True):
        product = (product * slope[:, None, :]) @ W
    return product


def _parts(weights, slopes, count):
    """The slopes in blocks of points whose products fit, and how many points each block has."""
    size = max(1, CELLS // (weights[0].shape[0] * max(W.shape[1] for W in weights)))
    for start in range(0, count, size):
        stop = min(start + size, count)
        yield [slope[start:stop] for slope in slopes], stop - start


def _slopes_at(activation, weights, points):
    return [_tangent_slopes(activation, each) for each in _before(activation, weights, points)]


def _before(activation, weights, points):
    """What enters the activation of every hidden layer."""
    entering, H = [], points
    for W in weights[:-1]:
        entering.append(H @ W)
        H = _activated(activation, entering[-1])
    return entering


def _activated(activation, A):
    if activation == "relu":
        return np.maximum(A, 0.0)
    if activation == "linear":
        return A
    if activation == "tanh":
        return np.tanh(A)
    from scipy.special import expit

    return expit(A)


def _tangent_slopes(activation, A):
    """g′."""
    if activation == "relu":
        return (A > 0).astype(np.float64)
    if activation == "linear":
        return np.ones_like(A)
    height = _activated(activation, A)
    return 1.0 - height**2 if activation == "tanh" else height * (1.0 - height)


def _chord_slopes(activation, a, b):
    """(g(b) − g(a)) / (b − a); short chords of smooth curves take the tangent in the middle, which cancels nothing."""
    if activation == "linear":
        return np.ones_like(a)
    width = b - a
    short = width == 0 if activation == "relu" else np.abs(width) < SHORTEST_CHORD
    rise = _activated(activation, b) - _activated(activation, a)
    return np.where(short, _tangent_slopes(activation, (a + b) / 2), rise / np.where(short, 1.0, width))


def _doubles(network):
    if network.activation not in ACTIVATIONS:
        raise ParameterError(f"activation={network.activation!r} is unknown; choose one of {', '.join(map(repr, ACTIVATIONS))}.")
    return [np.asarray(W, dtype=np.float64) for W in network.weights]


def _checked(network, points):
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != network.n_features:
        raise DataError(
            f"Points of shape {points.shape} do not go into f, which takes {network.n_features} features; give rows so wide."
        )
    return points
