"""Rigid objects moving before an affine camera: point trajectories, each motion in its own small subspace."""

import numpy as np

FRAMES = 24
POINTS = 90
PIXELS_PER_UNIT = 60.0
TRACKING_NOISE_PIXELS = 0.3


def track_all(seed=7):
    """``(X, names)``: a row is one point's x, y in frame 1, in frame 2, ..., in pixels from the centre."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, FRAMES)
    tracks = [film(body(rng), motion(time)) for body, motion in OBJECTS.values()]
    X = np.concatenate(tracks)
    X += TRACKING_NOISE_PIXELS * rng.standard_normal(X.shape)
    return X.round(2).astype(np.float32), np.repeat(np.array(list(OBJECTS)), POINTS)


def film(points, poses):
    """See a body in all poses ``[(rotation, place), ...]`` through an affine camera: depth is ignored."""
    frames = [PIXELS_PER_UNIT * (points @ turn.T + place)[:, :2] for turn, place in poses]
    return np.stack(frames, axis=1).reshape(points.shape[0], 2 * FRAMES)


def rotation_about(axis, degrees):
    """Rodrigues' formula."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def globe(rng):
    """Points on a sphere."""
    vectors = rng.standard_normal((POINTS, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def ring(rng):
    """Points on a torus, wide enough for the globe."""
    around, across = rng.uniform(0, 2 * np.pi, (2, POINTS))
    radius = 1.7 + 0.3 * np.cos(across)
    return np.column_stack([radius * np.cos(around), radius * np.sin(around), 0.3 * np.sin(across)])


def die(rng):
    """Points on the faces of a cube."""
    points = rng.uniform(-1, 1, (POINTS, 3))
    faces = rng.integers(3, size=POINTS)
    points[np.arange(POINTS), faces] = rng.choice([-1.0, 1.0], POINTS)
    return points


def wheel(rng):
    """Points on a flat disc that faces the camera."""
    radius, turn = np.sqrt(rng.uniform(0, 1, POINTS)), rng.uniform(0, 2 * np.pi, POINTS)
    return 1.3 * np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(POINTS)])


def stars(rng):
    """Points all over the picture and beyond its plane."""
    return rng.uniform(-1, 1, (POINTS, 3)) * (5.0, 3.7, 3.0)


def spins(time):
    """Turns about an axis that turns itself, on the spot."""
    turns = [rotation_about((1, 0, 0.3), 70 * t) @ rotation_about((0.2, 1, 0), 200 * t) for t in time]
    return [(turn, np.zeros(3)) for turn in turns]


def wobbles(time):
    """Rocks about two axes, on the same spot."""
    first, second = 55 * np.sin(2 * np.pi * time), 40 * np.sin(3 * np.pi * time)
    turns = [rotation_about((1, 0, 0), a) @ rotation_about((0, 1, 0), b) for a, b in zip(first, second, strict=True)]
    return [(turn, np.zeros(3)) for turn in turns]


def tumbles(time):
    """Turns fast and is thrown across the picture."""
    turns = [rotation_about((1, 0.4, 0.7), 320 * t) @ rotation_about((0, 0, 1), 90 * t) for t in time]
    return [(turn, np.array([-3 + 6 * t, -1.8 + 9 * t * (1 - t), 0])) for turn, t in zip(turns, time, strict=True)]


def rolls(time):
    """Turns in the plane of the picture and crosses it the other way."""
    return [(rotation_about((0, 0, 1), 220 * t), np.array([3.2 - 6.4 * t, -0.4, 0])) for t in time]


def drifts(time):
    """Moves as a whole without turning: the camera pans."""
    return [(np.eye(3), np.array([0.7 - 1.4 * t, 0.4 * np.sin(4 * t), 0])) for t in time]


OBJECTS = {
    "spinning globe": (globe, spins),
    "wobbling ring": (ring, wobbles),
    "tumbling die": (die, tumbles),
    "rolling wheel": (wheel, rolls),
    "drifting stars": (stars, drifts),
}
