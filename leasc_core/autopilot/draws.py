"""One draw of representatives and landmarks on a sample of points: what a fit would see there, read at every k."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..estimators.blocks import main_directions
from ..estimators.rpcm import RPCM
from ..evidence.scan import SpectralScan
from ..spectral.codes import CodeGraph, largest_codes
from ..spectral.landmarks import LandmarkGraph, default_landmarks, unit_rows

SHARE, MOST_REPRESENTATIVES = 0.6, 600
NEIGHBOURS, CODE_DIM = 5, 256
# Of each point's exact codes so many are kept, as where the paper cuts small data (Table III).
KEPT, MOST_CODED_BY = 8, 1500


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


def code_graph(points, beta, seed, most_seen):
    """The scan of ``points`` joined to the representatives that write them: exact ``f2`` codes, the 8 largest of each, no f.

    On a few thousand points this shows clusters of few points (faces: 64 a person) that landmarks would blur. Of more than
    ``most_seen`` points it learns from so many of its own choice: a cut through a continuum then differs from draw to draw.
    """
    rng = np.random.default_rng(seed)
    chosen = np.sort(rng.choice(len(points), int(min(MOST_CODED_BY, max(2, SHARE * len(points)))), replace=False))
    X = points[chosen].astype(np.float64)
    codes = (points @ np.linalg.inv(X.T @ X + np.eye(X.shape[1]) / beta)) @ X.T
    codes[chosen, np.arange(len(chosen))] = 0.0  # nobody vouches for himself
    seen = np.sort(rng.choice(len(points), most_seen, replace=False)) if most_seen < len(points) else None
    return SpectralScan.of(sparse.csr_matrix(largest_codes(codes, KEPT)), seen)
