"""Forty clusters are told apart: by hue and lightness for usual sight, with their symbols for colour-blind eyes too."""

import numpy as np
import pytest

from leasc_core.drawing.palette import CLUSTERS
from leasc_ui.frame.theme import SHADES, SYMBOLS

# Machado, Oliveira & Fernandes (2009), severity 1, on linear light.
SIGHTS = {
    "usual": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def light(shade):
    part = np.array([int(shade[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def distances(theme, sight):
    """Pairwise distances in OKLab; 0.02 is just noticed by usual eyes side by side."""
    seen = np.clip(np.array([light(pair[theme]) for pair in CLUSTERS]) @ np.array(SIGHTS[sight]).T, 0, 1)
    lab = np.cbrt(seen @ np.array(TO_CONES).T) @ np.array(TO_LAB).T
    return np.linalg.norm(lab[:, None] - lab[None], axis=2) + np.eye(len(lab))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_forty_colours_differ_and_neighbours_differ_most(theme):
    usual = distances(theme, "usual")
    assert len(CLUSTERS) == 40
    assert usual.min() >= 0.06, "three times what is just noticed"
    assert min(usual[at, at + 1] for at in range(39)) >= 0.12


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("sight", ["protan", "deutan", "tritan"])
def test_of_one_symbol_colour_blind_eyes_tell_the_colours_apart(theme, sight):
    number = np.arange(len(CLUSTERS))
    same_symbol = (number[:, None] - number) % len(SYMBOLS) == 0
    assert distances(theme, sight)[same_symbol].min() >= 0.035


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_colour_stands_out_from_the_page(theme):
    def luminance(shade):
        return float(light(shade) @ [0.2126, 0.7152, 0.0722])

    page = luminance(SHADES["card"][theme])
    for pair in CLUSTERS:
        bright, dim = sorted((luminance(pair[theme]), page), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 1.9, pair
