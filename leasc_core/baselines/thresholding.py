"""Thresholding-based subspace clustering (Heckel & Bölcskei 2015): a point's neighbours are those of the smallest angle."""

import numpy as np

from .base import Baseline
from .cut import cut_codes


def tsc(points, k, seed, clock, *, neighbours=5):
    """Weights exp(−2·arccos|⟨x_i, x_j⟩|) to the nearest by angle, cut like codes. Defaults: 5 neighbours."""
    with clock("coding"):
        codes = np.exp(-2.0 * np.arccos(np.minimum(np.abs(points @ points.T), 1.0)))
        np.fill_diagonal(codes, 0.0)
    with clock("cut"):
        return cut_codes(codes, k, seed, kept=neighbours), codes


BASELINES = (Baseline("tsc", "TSC", "coding", "Points joined to those of the smallest angle.", "m²d, m² memory", 8_000, tsc),)
