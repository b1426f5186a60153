"""One draw of representatives and landmarks on a sample of points: what a fit would see there, read at every k."""

from dataclasses import dataclass

import numpy as np

from ..estimators.blocks import main_directions
from ..estimators.rpcm import RPCM
from ..evidence.scan import SpectralScan
from ..spectral.codes import CodeGraph
from ..spectral.landmarks import LandmarkGraph, default_landmarks, unit_rows

SHARE, MOST_REPRESENTATIVES = 0.6, 600
NEIGHBOURS, CODE_DIM = 5, 256


@dataclass(frozen=True)
class Setting:
    """What a draw depends on besides chance."""

    beta: float
    affinity: str = "landmarks"
    variant: str = "f2"


@dataclass(frozen=True, eq=False)
class Draw:
    """The spectral scan of the sample, and how well f learned the codes."""

    scan: SpectralScan
    code_error: float


def draw(points, setting, sign_blind, seed, on_event=None):
    """Representatives, codes, f and the affinity of ``points`` (prepared: unit rows), all drawn with ``seed``."""
    rng = np.random.default_rng(seed)
    n = int(min(MOST_REPRESENTATIVES, max(2, SHARE * len(points))))
    chosen = np.sort(rng.choice(len(points), n, replace=False))
    forbid = setting.variant in ("l1", "elastic_net")
    model = RPCM(setting.variant, beta=setting.beta, zero_diagonal=forbid, tol=1e-2, epochs=1, random_state=seed,
                 on_event=on_event).fit(points[chosen])  # fmt: skip
    codes = model.network_(points.astype(np.float32))
    return Draw(SpectralScan.of(_rows(codes, setting, sign_blind, rng)), model.network_history_[-1].held_out_error)


def _rows(codes, setting, sign_blind, rng):
    if setting.affinity == "codes":
        return CodeGraph().rows(codes)
    if codes.shape[1] > CODE_DIM:
        codes = codes @ main_directions(codes, CODE_DIM)
    codes = unit_rows(codes)
    return LandmarkGraph.fit(codes, default_landmarks(len(codes)), NEIGHBOURS, sign_blind, rng).rows(codes)
