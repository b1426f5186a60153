"""Shaded convex shapes under changing light: eight smooth bodies, found by casting rays, 120 lights each."""

import numpy as np

SIDE = 32
FINE = 4  # rays per pixel and direction, averaged for smooth outlines
LIGHTS = 120
WIDEST_LIGHT_DEGREES = 85
HALF_WIDTH = 1.15


def render_all():
    """``(images, names, lights)``: uint8 ``(n, 32, 32)``, one name and one unit light vector per image."""
    lights = light_directions()
    images = np.concatenate([render(shape, paint, lights) for shape, paint in SHAPES.values()])
    names = np.repeat(np.array(list(SHAPES)), LIGHTS)
    return images, names, np.tile(lights, (len(SHAPES), 1)).round(6).astype(np.float32)


def render(inside, paint, lights):
    """Lambert's law with attached shadows: brightness = paint * max(0, normal . light), in 256 steps."""
    points, normals, hit = cast_rays(inside)
    lambert = np.maximum(normals @ lights.T, 0.0) * (paint(points) * hit)[..., None]
    pixels = lambert.reshape(SIDE, FINE, SIDE, FINE, -1).mean(axis=(1, 3))
    return np.rint(255 * pixels).astype(np.uint8).transpose(2, 0, 1)


def light_directions():
    """Directions spread evenly over the cap around the viewer by a golden-angle spiral."""
    step = np.arange(LIGHTS) + 0.5
    height = 1 - step / LIGHTS * (1 - np.cos(np.radians(WIDEST_LIGHT_DEGREES)))
    turn = step * np.pi * (3 - np.sqrt(5))
    ring = np.sqrt(1 - height**2)
    return np.column_stack([ring * np.cos(turn), ring * np.sin(turn), height])


def cast_rays(inside):
    """Front points, unit normals and hit mask seen along -z; ``inside(points) < 0`` within a convex body."""
    fine = SIDE * FINE
    places = ((np.arange(fine) + 0.5) / fine * 2 - 1) * HALF_WIDTH
    y, x = np.meshgrid(-places, places, indexing="ij")
    deepest = _lowest_point(inside, x, y)
    hit = inside(_stack(x, y, deepest)) < 0
    near, far = deepest, np.full_like(deepest, 2.0)
    for _ in range(50):
        middle = (near + far) / 2
        within = inside(_stack(x, y, middle)) < 0
        near, far = np.where(within, middle, near), np.where(within, far, middle)
    points = _stack(x, y, near)
    return points, _normals(inside, points), hit


def _lowest_point(inside, x, y):
    """Where along each ray a convex function is smallest, by ternary search."""
    low, high = np.full_like(x, -2.0), np.full_like(x, 2.0)
    for _ in range(80):
        third = (high - low) / 3
        left_smaller = inside(_stack(x, y, low + third)) < inside(_stack(x, y, high - third))
        low, high = np.where(left_smaller, low, low + third), np.where(left_smaller, high - third, high)
    return (low + high) / 2


def _normals(inside, points):
    step = 1e-5
    slopes = [inside(points + step * axis) - inside(points - step * axis) for axis in np.eye(3)]
    gradient = np.stack(slopes, axis=-1)
    return gradient / np.linalg.norm(gradient, axis=-1, keepdims=True)


def _stack(x, y, z):
    return np.stack([x, y, z], axis=-1)


def rotation(*degrees):
    """Turn about x, then y, then z."""
    a, b, c = np.radians(degrees)
    about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    about_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def ellipsoid(radii, turn):
    """Points within the turned ellipsoid."""
    axes = turn / np.asarray(radii)
    return lambda p: np.square(p @ axes).sum(axis=-1) - 1


def egg(length, width, pointed):
    """A body of revolution about y, slimmer towards the top."""

    def inside(p):
        girth = width * (1 - pointed * p[..., 1])
        return (p[..., 0] ** 2 + p[..., 2] ** 2) / girth**2 + p[..., 1] ** 2 / length**2 - 1

    return inside


def rounded(face_normals, distance, sharpness, turn):
    """A polytope with soft edges: the log-sum-exp of its faces' distances."""
    normals = np.asarray(face_normals, dtype=float)
    normals = turn @ (normals / np.linalg.norm(normals, axis=1, keepdims=True)).T

    def inside(p):
        return np.log(np.exp(sharpness * (p @ normals - distance)).sum(axis=-1))

    return inside


CUBE = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
OCTAHEDRON = [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
TETRAHEDRON = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]


def plain(points):
    """White all over."""
    return np.ones(points.shape[:-1])


def beach_ball(points):
    """Light and dark segments about a tilted axis."""
    turned = points @ rotation(50, 20, 30)
    return np.where(np.sin(3 * np.arctan2(turned[..., 1], turned[..., 0])) > 0, 1.0, 0.45)


SHAPES = {
    "ball": (ellipsoid((0.9, 0.9, 0.9), np.eye(3)), plain),
    "beach ball": (ellipsoid((0.9, 0.9, 0.9), np.eye(3)), beach_ball),
    "egg": (egg(1.02, 0.74, 0.22), plain),
    "pebble": (ellipsoid((1.05, 0.62, 0.45), rotation(20, 35, 30)), plain),
    "cigar": (ellipsoid((1.08, 0.42, 0.42), rotation(0, 25, 125)), plain),
    "cushion": (rounded(CUBE, 0.74, 9.0, rotation(28, 38, 12)), plain),
    "gem": (rounded(OCTAHEDRON, 0.66, 10.0, rotation(15, 25, 20)), plain),
    "pyramid": (rounded(TETRAHEDRON, 0.5, 9.0, rotation(-20, 220, 10)), plain),
}
