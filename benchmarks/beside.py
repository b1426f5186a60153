"""Sizes most people have, side by side; whether the quick path labels as the slow one does; what an ensemble takes.

Parts of ``benchmarks.scale``. Points of the first lie on ten subspaces of dimension 5, 5 % noise; labels are read by the metrics
alone.
"""

import json
import subprocess
import sys
import time

import numpy as np

from leasc_core.metrics import score

from .core import SHARED, mnist
from .meter import table

GRID = [(points, width) for width in (64, 256, 1024) for points in (1000, 10_000, 30_000, 100_000)]
CLUSTERS, DIM, NOISE = 10, 5, 0.05
# By name in leasc_core.baselines; the first by itself chooses preparation and graph, the second is told.
METHODS, OTHERS = ("leasc", "leasc_f2", "lbsc_k"), ("minibatch", "nystrom", "kmeans", "umap_hdbscan")
# The most points of those that would take minutes.
MOST = {"umap_hdbscan": 10_000, "kmeans": 30_000}
ROUNDS = 3


def sizes(most, others=True):
    """The table of all sizes up to ``most`` points: seconds, and how they stand to LbSC-K's."""
    names, rows = (*METHODS, *OTHERS) if others else METHODS, []
    for points, width in GRID:
        if points <= most:
            command = [sys.executable, "-m", "benchmarks.beside", str(points), str(width), *names]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            found = json.loads(said.splitlines()[-1])
            ratio = found["leasc"][0] / found["lbsc_k"][0]
            cells = (f"{found[name][0]:.2f} ({found[name][1]:.3f})" if name in found else "–" for name in names)
            rows.append((f"{points:,} × {width:,}", *cells, f"{ratio:.2f}"))
            print("  ".join(rows[-1]), flush=True)
    print("\nSeconds (and ACC) in one process, after all imports, the best of three; – takes minutes")
    print("(required: leasc / lbsc_k ≤ 1 at any size, ACC ≥ 0.999; ≤ 1 s for 1,000 points, ≤ 3 s for 10,000 × 256)")
    table(("points", *names, "leasc / lbsc_k"), rows)


def child(points, width, names):
    """Each method's seconds and ACC at one size, in turns; prints one line of JSON."""
    Y, y = points_of(points, width)
    runs = {name: _runner(name) for name in names if points <= MOST.get(name, points)}
    found = {}
    for run in runs.values():
        run(Y[:: max(1, points // 400)])
    for _ in range(ROUNDS):
        for name, run in runs.items():
            if name in METHODS or name not in found:
                found[name] = min(found.get(name, (np.inf, 0.0)), _timed(run, Y, y))
    print(json.dumps(found))


def points_of(points, width, clusters=CLUSTERS, dim=DIM, noise=NOISE):
    """Points in single precision, in random order, and their subspaces."""
    from leasc_core import make_union_of_subspaces

    settings = {"n_subspaces": clusters, "dim": dim, "ambient_dim": width, "noise": noise, "n_per_subspace": points // clusters}
    Y, y = make_union_of_subspaces(**settings, random_state=1)
    return Y.astype(np.float32), y


def sets():
    """``(name, points, labels, k)``: generated ones, and those of ``../shared/data`` that are there."""
    from leasc_core import load_data

    yield "10 subspaces, 10,000 × 64", *points_of(10_000, 64), 10
    yield "20 subspaces, 30,000 × 256", *points_of(30_000, 256, 20), 20
    yield "50 subspaces, 100,000 × 100, 10 % noise", *points_of(100_000, 100, 50, noise=0.1), 50
    for name in ("usps", "pendigits"):
        path = SHARED / "league" / f"{name}.mat"
        if path.exists():
            data = load_data(path)
            yield name, np.asarray(data.X, np.float32), data.y, 10
    found = mnist()
    if found is not None:
        yield "MNIST, scattering", *found, 10


def agreement(seeds=2):
    """Labels of the quick path beside those of the slow one, and of the slow one beside itself with another seed."""
    from sklearn.metrics import adjusted_rand_score

    rows = []
    for name, Y, y, k in sets():
        for seed in range(seeds):
            slow, quick, other = (_fitted(Y, k, *each) for each in ((seed, False), (seed, True), (seed + 100, False)))
            accs = [f"{score(y, labels)['acc']:.4f}" for labels, _ in (slow, quick)]
            agree, chance = (adjusted_rand_score(slow[0], each[0]) for each in (quick, other))
            rows.append((name, seed, f"{slow[1]:.1f}", f"{quick[1]:.1f}", *accs, f"{agree:.4f}", f"{chance:.4f}"))
            print(*rows[-1], flush=True)
    print("Quick path beside the slow one (required: ARI ≥ 0.995, ACC no lower); the last column is what another seed does")
    table(("set", "seed", "slow, s", "quick, s", "ACC slow", "ACC quick", "ARI", "ARI of seeds"), rows)


def _fitted(Y, k, seed, quick, **settings):
    """Labels of a fit by landmarks, and its seconds."""
    from leasc_core import LeaSC
    from leasc_core.spectral import cells

    cells.QUICK = quick
    begun = time.perf_counter()
    model = LeaSC(k, preprocess=None, affinity="landmarks", random_state=seed, **settings).fit(Y)
    cells.QUICK = True
    return model.labels_, time.perf_counter() - begun


def draws():
    """Five draws beside one."""
    rows = []
    for name, Y, y, k in sets():
        (one, once), (five, seconds) = (_fitted(Y, k, 0, True, n_draws=count) for count in (1, 5))
        accs = (f"{score(y, labels)['acc']:.4f}" for labels in (one, five))
        rows.append((name, f"{once:.1f}", f"{seconds:.1f}", f"{seconds / once:.2f}", *accs))
        print(*rows[-1], flush=True)
    print("Five draws beside one (required: ≤ 2.2 times its seconds)")
    table(("set", "one, s", "five, s", "ratio", "ACC one", "ACC five"), rows)


def _runner(name):
    from leasc_core import baselines

    return _minibatch if name == "minibatch" else lambda Y: baselines.get(name).run(Y, CLUSTERS, seed=0).labels


def _minibatch(Y):
    from sklearn.cluster import MiniBatchKMeans

    return MiniBatchKMeans(CLUSTERS, random_state=0, n_init=3).fit_predict(Y)


def _timed(run, Y, y):
    begun = time.perf_counter()
    labels = run(Y)
    return time.perf_counter() - begun, score(y, labels)["acc"]


if __name__ == "__main__":
    child(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
