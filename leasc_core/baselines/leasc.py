"""LeaSC itself, and the RPCM with all points as representatives and a normalised cut (the paper's Table III)."""

from functools import partial

import numpy as np

from ..coding.variants import VARIANTS
from .base import Baseline, LearnedCodes
from .cut import cut_codes

FAMILY = "leasc"
LOADS = ("torch", "sklearn.cluster", "leasc_core.estimators.leasc")


def leasc(points, k, seed, clock, *, variant, n_representatives=None):
    """LeaSC (Algorithm 1) with defaults on the points as they are: 1,000 random representatives, landmarks in code space."""
    from ..estimators.leasc import LeaSC

    n = None if n_representatives is None else min(n_representatives, len(points))
    plain = {"preprocess": None, "affinity": "landmarks"}
    model = LeaSC(k, variant=variant, n_representatives=n, **plain, random_state=seed, on_event=clock.listen).fit(points)
    return model.labels_, LearnedCodes(model.transform, model.representative_indices_)


def whole(points, k, seed, clock):
    """LeaSC with its defaults on the rows as they are given: preparation and graph are chosen without labels."""
    from ..estimators.leasc import LeaSC

    model = LeaSC(k, random_state=seed, on_event=clock.listen).fit(points)
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


BASELINES = (
    (
        Baseline(
            "leasc",
            "LeaSC, all by itself",
            FAMILY,
            "Recognises and prepares the rows, chooses the graph, then clusters: what the Cluster page does.",
            "a few labelings of 2,000 points, then as LeaSC, or m² where all points are kept",
            None,
            whole,
            streams=True,
            loads=LOADS,
        ),
    )
    + tuple(
        Baseline(
            f"leasc_{v}",
            f"LeaSC, {VARIANTS[v].title}",
            FAMILY,
            f"A function learns {VARIANTS[v].codes} and codes everything.",
            "the codes of n representatives, then m·d·h + m·h·n for f",
            None,
            _with(leasc, v),
            streams=True,
            loads=LOADS,
        )
        for v in VARIANTS
    )
    + tuple(
        Baseline(
            f"rpcm_{v}",
            f"{VARIANTS[v].title}, Ncut",
            FAMILY,
            f"The learned {VARIANTS[v].codes} of all points, cut.",
            "m²d an iteration, m² memory",
            6_000,
            _with(rpcm, v),
            loads=LOADS,
        )
        for v in VARIANTS
    )
)
