"""LeaSC itself, and the RPCM with all points as representatives and a normalised cut (the paper's Table III)."""

from functools import partial

import numpy as np

from ..coding.problem import VARIANTS
from .base import Baseline, LearnedCodes
from .cut import cut_codes

FAMILY = "leasc"
LOADS = ("torch", "sklearn.cluster", "leasc_core.estimators.leasc")
LABELS = {"f2": "RPCM-F²", "l1": "RPCM-ℓ1", "nuclear": "RPCM-nuclear", "elastic_net": "RPCM-ℓ1+F²"}
WORDS = {"f2": "smooth codes in closed form", "l1": "sparse codes", "nuclear": "codes of low rank",
         "elastic_net": "sparse, smooth codes"}  # fmt: skip


def leasc(points, k, seed, clock, *, variant, n_representatives=None):
    """LeaSC (Algorithm 1) with the estimator's own defaults: 1,000 random representatives, landmarks in code space."""
    from ..estimators.leasc import LeaSC

    n = None if n_representatives is None else min(n_representatives, len(points))
    model = LeaSC(k, variant=variant, n_representatives=n, random_state=seed, on_event=clock.listen).fit(points)
    return model.labels_, LearnedCodes(model.transform, model.representative_indices_)


def rpcm(points, k, seed, clock, *, variant, kept=8):
    """RPCM of all points, their codes computed by f, cut like classical codes.

    Defaults: the estimator's β; a duality gap of 0.01 or 100 iterations, at most 1 epoch; of each code the 8 largest are cut.
    """
    from ..estimators.rpcm import RPCM

    model = RPCM(variant=variant, tol=1e-2, max_iter=100, epochs=1, random_state=seed, on_event=clock.listen).fit(points)
    clock.seconds["training"] = clock.seconds.pop("coding") + clock.seconds.pop("network")
    with clock("coding"):
        codes = model.transform(points.astype(np.float32))
    with clock("cut"):
        return cut_codes(codes, k, seed, kept), codes


def _with(method, variant):
    """The method for one variant, which is then no setting of it any more."""
    made = partial(method, variant=variant)
    made.__signature__ = _signature_without_variant(method)
    return made


def _signature_without_variant(method):
    import inspect

    signature = inspect.signature(method)
    return signature.replace(parameters=[p for p in signature.parameters.values() if p.name != "variant"])


BASELINES = tuple(
    Baseline(f"leasc_{v}", f"LeaSC, {LABELS[v]}", FAMILY, f"A function learns {WORDS[v]} and codes everything.",
             "the codes of n representatives, then m·d·h + m·h·n for f", None, _with(leasc, v), streams=True,
             loads=LOADS)
    for v in VARIANTS
) + tuple(
    Baseline(f"rpcm_{v}", f"{LABELS[v]}, Ncut", FAMILY, f"The learned {WORDS[v]} of all points, cut.",
             "m²d an iteration, m² memory", 6_000, _with(rpcm, v), loads=LOADS)
    for v in VARIANTS
)  # fmt: skip
