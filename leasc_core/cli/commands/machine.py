"""``bench`` without a name: what this machine can do, and whether the method works on it, in a few seconds."""

import json
import sys
import time

from ..progress import own_memory
from ..terminal import pairs, styled

FEATURES, HIDDEN, CODE_WIDTH, ROWS = 1024, 1500, 256, 4096
POINTS, DIMS, CLUSTERS, DIM, NOISE = 20_000, 100, 20, 5, 0.05
ENCODE_SECONDS = 1.0
EXPECTED_ACCURACY = 0.95


def check(as_json):
    """Measure and tell; exit code 1 where the clustering went wrong."""
    import os

    from ...runs.budget import product_rate

    rate = max(product_rate() for _ in range(3))
    found = {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "products_per_second": rate,
        "encoded_per_second": _encode_rate(),
        **_small_clustering(),
        "memory": own_memory(),
        "million_seconds": _million(rate),
    }
    if as_json:
        print(json.dumps(found))
    else:
        _tell(found)
    return 0 if found["acc"] >= EXPECTED_ACCURACY else 1


def _encode_rate():
    """Points a second through f, as wide as it is by default."""
    import numpy as np

    from ...encoder.mlp import MLP

    rng = np.random.default_rng(0)
    shapes = ((FEATURES, HIDDEN), (HIDDEN, CODE_WIDTH))
    network = MLP(tuple(rng.standard_normal(shape, dtype=np.float32) / 30 for shape in shapes), "relu")
    points = rng.standard_normal((ROWS, FEATURES), dtype=np.float32)
    network(points)
    begun, rounds = time.perf_counter(), 0
    while time.perf_counter() - begun < ENCODE_SECONDS:
        network(points)
        rounds += 1
    return rounds * ROWS / (time.perf_counter() - begun)


def _small_clustering():
    from ...data.synthetic import make_union_of_subspaces
    from ...estimators.leasc import LeaSC
    from ...metrics import clustering_accuracy

    points, labels = make_union_of_subspaces(CLUSTERS, DIM, DIMS, POINTS // CLUSTERS, NOISE)
    begun = time.perf_counter()
    model = LeaSC(random_state=0).fit(points.astype("float32"))
    seconds = time.perf_counter() - begun
    return {"acc": clustering_accuracy(labels, model.labels_), "clusters": int(model.n_clusters_), "seconds": seconds}


def _million(rate):
    from ...runs.budget import Sizes, estimate

    sizes = Sizes(1_000_000, FEATURES, 1000, (HIDDEN,), 100, 8000, 5, CODE_WIDTH, "f2", "landmarks", ROWS)
    return estimate(sizes, rate).seconds


def _tell(found):
    from ...runs.budget import readable_seconds

    print(styled(f"This machine, {found['cores']} cores", "bold", sys.stdout))
    pairs(
        [
            ("matrix products", f"{found['products_per_second'] / 1e9:,.0f} billion operations/s (float32)"),
            ("coding by f", f"{found['encoded_per_second']:,.0f} points/s of {FEATURES:,} features"),
            (
                "clustering",
                f"{POINTS:,} points on {CLUSTERS} subspaces of R^{DIMS}: {found['clusters']} found, "
                f"ACC {found['acc']:.3f}, {found['seconds']:.1f} s",
            ),
            ("memory", f"{found['memory'] / 1e9:.2f} GB taken"),
            ("a million points", f"of {FEATURES:,} features in 100 clusters: about {readable_seconds(found['million_seconds'])}"),
        ]
    )
