"""One draw of representatives and landmarks on a sample of points: what a fit would see there, read at every k."""

from dataclasses import dataclass

import numpy as np

from ..coding.variants import VARIANTS
from ..evidence.scan import SpectralScan
from ..stages.cluster import affinity_rows
from ..stages.context import Context
from ..stages.encode import main_directions
from ..stages.learn import Coding, learn

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
    chosen = points[np.sort(rng.choice(len(points), n, replace=False))]
    forbid = VARIANTS[setting.variant].self_code_is_trivial
    coding = Coding(setting.variant, beta=setting.beta, zero_diagonal=forbid, tol=1e-2, epochs=1)
    learned = learn(chosen, coding, Context.local(seed, on_event))
    codes = learned.network(points.astype(np.float32))
    if setting.affinity == "landmarks" and codes.shape[1] > CODE_DIM:
        codes = codes @ main_directions(codes, CODE_DIM)
    rows = affinity_rows(codes, setting.affinity, NEIGHBOURS, sign_blind, rng)
    return Draw(SpectralScan.of(rows), learned.network_history[-1].held_out_error)
