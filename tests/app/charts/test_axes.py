"""The same points lie the same way round on every page."""

import numpy as np

from leasc_ui.charts.axes import facing
from leasc_ui.data.preview import _axes
from leasc_ui.screens.representatives.compute import main_directions


def test_an_axis_and_its_mirror_image_are_one():
    axes = np.array([[0.6, -0.8], [-0.8, -0.6], [0.0, 0.0]])
    assert np.allclose(facing(axes), [[-0.6, 0.8], [0.8, 0.6], [0.0, 0.0]]) and np.allclose(facing(-axes), facing(axes))


def test_data_and_representatives_look_from_the_same_side():
    for shape in ((40, 6), (8, 30)):
        points = np.random.default_rng(1).standard_normal(shape) * np.linspace(3, 1, shape[1])
        assert np.allclose(_axes(points - points.mean(axis=0))[1][:2].T, main_directions(points)[1], atol=1e-6)
