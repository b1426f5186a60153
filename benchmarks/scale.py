"""``python -m benchmarks.scale``: how long it takes, label-free: usual sizes beside other methods, the quick path beside the slow
one, ensembles beside single fits, and a million points on disk. ``--part`` takes one of these.

Each size of the last is a run in a process of its own, with memory of its own. The limit of the pass that encodes and joins
every point is the time its matrix products take at the rate measured beside it, or reading the file takes, whichever is longer.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from leasc_core.data.synthetic.large import write_union_of_subspaces
from leasc_core.metrics import score

from . import beside
from .meter import gemm_rate, table


def child(arguments):
    """One run, in this process: prints one line of JSON. It never sees the labels."""
    from leasc_core import LeaSC
    from leasc_core.data.sources import FileSource
    from leasc_core.events import StageFinished
    from leasc_core.spectral import cells
    from leasc_core.spectral.cells import looked_at

    path, rows, clusters, way, labels_to = arguments
    cells.QUICK, precision = way != "slow", "bfloat16" if way == "bfloat16" else "float32"
    shape, offset = _header(path)
    source = FileSource(path, (int(rows), shape[1]), np.float32, offset)
    import torch

    rates = [_rates(shape[1])]
    stages = {}

    def listen(event):
        if isinstance(event, StageFinished):
            stages[event.stage] = event.seconds
            if event.stage in ("landmarks", "encoding"):
                rates.append(_rates(shape[1]))

    watch = Watch()
    begun = time.perf_counter()
    model = LeaSC(int(clusters), precision=precision, random_state=0, on_event=listen).fit(source)
    seconds = time.perf_counter() - begun
    np.save(labels_to, model.labels_)
    count, width = model.model_.graph.landmarks.shape
    compared = count if model.model_.graph.bounds is None else looked_at(count)
    operations = model.encoder_.flops_per_point, 2 * compared * width
    print(
        json.dumps(
            {
                "rows": int(rows),
                "seconds": seconds,
                "stages": stages,
                "memory": watch.stop(),
                "passes": model.passes_,
                "rates": rates,
                "operations": operations,
                "threads": torch.get_num_threads(),
            }
        )
    )


def _rates(features):
    """Operations a second of the two products of the pass: points through f, and against the landmarks."""
    return [gemm_rate(4096, features, 256, 3), gemm_rate(1024, 256, 1000, 3)]


class Watch:
    """The highest RssAnon of this process, looked at fifty times a second."""

    def __init__(self):
        self.highest, self.running = 0, True
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self):
        while self.running:
            for line in Path("/proc/self/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    self.highest = max(self.highest, 1024 * int(line.split()[1]))
            time.sleep(0.02)

    def stop(self):
        self.running = False
        self.thread.join()
        return self.highest


def _header(path):
    with open(path, "rb") as file:
        np.lib.format.read_magic(file)
        shape, _, _ = np.lib.format.read_array_header_1_0(file)
        return shape, file.tell()


def run(path, rows, clusters, folder, way="quick"):
    """The child's figures, and its labels; ``way`` is "quick", "slow" (the path of 0.2.0) or "bfloat16"."""
    labels = Path(folder) / f"labels-{rows}-{way}.npy"
    command = [sys.executable, "-m", "benchmarks.scale", "--child", str(path), str(rows), str(clusters), way, str(labels)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(said.splitlines()[-1]), np.load(labels)


def pass_limit(figures, features, disk_rate):
    """Seconds of the pass if it were its products alone, at the median of the rates seen around it, or its reading alone."""
    products = figures["rows"] * np.sum(np.divide(figures["operations"], np.median(figures["rates"], axis=0)))
    return max(products, figures["rows"] * features * 4 / disk_rate)


def disk_rate(path, most=2 << 30):
    """Bytes a second of reading the file from its beginning, in blocks of 16 MB, as it is read in a run (cached or not)."""
    done, begun = 0, time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        buffer = bytearray(16 << 20)
        while done < most and (count := file.readinto(buffer)):
            done += count
    return done / (time.perf_counter() - begun)


def sizes_table(path, y, sizes, options, folder):
    rows, kept = [], []
    rate = disk_rate(path)
    for size in sizes:
        figures, labels = run(path, size, options.clusters, folder)
        limit = pass_limit(figures, options.dims, rate)
        took = figures["stages"]["encoding"]
        kept.append((size, figures, labels))
        rows.append(
            (
                f"{size:,}",
                f"{figures['seconds']:.1f}",
                f"{took:.1f}",
                f"{limit:.1f}",
                f"{took / limit:.2f}",
                f"{figures['memory'] / 1e9:.2f}",
                f"{figures['passes']:.2f}",
                *_two(y[:size], labels),
            )
        )
    print(f"{options.clusters} subspaces of dimension {options.dim} in {options.dims} dimensions, noise {options.noise:.0%};")
    print(f"default parameters; reading {rate / 1e9:.1f} GB/s")
    print("(required at 1,000,000: ACC ≥ 0.99, RssAnon ≤ 1.5 GB)")
    table(("points", "seconds", "pass, s", "its limit, s", "pass/limit", "RssAnon, GB", "passes", "ACC", "NMI"), rows)
    if len(kept) > 1:
        measures = (lambda f: f["seconds"], lambda f: f["stages"]["encoding"], lambda f: f["memory"])
        slopes = [_slope(kept, measure) for measure in measures]
        print("log-log slopes: time {:.2f} (required ≤ 1.02), of the pass alone {:.2f}, memory {:.2f}\n".format(*slopes))
    stages = ", ".join(f"{name} {seconds:.1f}" for name, seconds in kept[-1][1]["stages"].items())
    print(f"Stages of the largest, in seconds: {stages}\n", flush=True)
    return kept


def slow_beside(path, y, quickest, options, folder):
    """The largest size once more by the path of 0.2.0."""
    from sklearn.metrics import adjusted_rand_score

    size, quick, labels = quickest
    slow, other = run(path, size, options.clusters, folder, "slow")
    share, agree = quick["seconds"] / slow["seconds"], adjusted_rand_score(labels, other)
    print(f"{size:,} points by the slow path: {slow['seconds']:.1f} s, ACC {_two(y[:size], other)[0]}; stages {slow['stages']}")
    print(f"The quick path takes {share:.2f} of it (required ≤ 0.5), ARI of both {agree:.4f} (required ≥ 0.995).\n", flush=True)


def _slope(kept, what):
    return np.polyfit(np.log([size for size, _, _ in kept]), np.log([what(figures) for _, figures, _ in kept]), 1)[0]


def precision_table(path, options, folder, size=20_000):
    """bfloat16 against float32, on few points: where the processor has no bfloat16 products it is very slow."""
    single, labels = run(path, size, options.clusters, folder)
    half, other = run(path, size, options.clusters, folder, "bfloat16")
    agree = float((labels == other).mean())
    took = half["stages"]["encoding"] / single["stages"]["encoding"]
    verdict = "may be offered by default" if agree >= 0.999 and took < 1 else "stays an option"
    print(f"bfloat16 at {size:,} points: the pass takes {took:.2f} × float32's, {agree:.3%} of labels agree: it {verdict}.\n")


def peers_table(path, y, ours, options):
    """The same points, whole in memory, by what others would use."""
    size, figures, labels = ours
    X = np.load(path, mmap_mode="r")[:size].astype(np.float32)
    rows = [("LeaSC", f"{figures['seconds']:.1f}", *_two(y[:size], labels))]
    for name, make in PEERS.items():
        begun = time.perf_counter()
        labels = make(X, options.clusters)
        rows.append((name, f"{time.perf_counter() - begun:.1f}", *_two(y[:size], labels)))
    print(f"Beside others, {size:,} points")
    table(("method", "seconds", "ACC", "NMI"), rows)


def _two(y, labels):
    scores = score(y, labels)
    return f"{scores['acc']:.4f}", f"{scores['nmi']:.4f}"


def _minibatch(X, k):
    from sklearn.cluster import MiniBatchKMeans

    return MiniBatchKMeans(k, random_state=0, n_init=3).fit_predict(X)


def _nystroem(X, k):
    from sklearn.cluster import KMeans
    from sklearn.kernel_approximation import Nystroem

    gamma = 1.0 / np.median(((X[:200, None] - X[None, 200:400]) ** 2).sum(axis=2))
    features = Nystroem(gamma=gamma, n_components=500, random_state=0).fit_transform(X)
    return KMeans(k, n_init=3, random_state=0).fit_predict(features)


def _landmarks(X, k):
    from leasc_core import LandmarkSpectralClustering

    return LandmarkSpectralClustering(k, n_landmarks=1000, sign="keep", random_state=0).fit(X).labels_


PEERS = {"MiniBatchKMeans": _minibatch, "Nystroem + KMeans": _nystroem, "LbSC-K on the raw data": _landmarks}


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--dims", type=int, default=1024)
    parser.add_argument("--clusters", type=int, default=100)
    parser.add_argument("--dim", type=int, default=5, help="dimension of each subspace")
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--folder", help="where the data go (a temporary folder, removed afterwards)")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    parser.add_argument("--part", choices=("sizes", "agreement", "draws", "million"), help="only this part")
    parser.add_argument("--most", type=int, default=100_000, help="of the usual sizes, those up to so many points")
    parser.add_argument("--alone", action="store_true", help="of the usual sizes, LeaSC and LbSC-K alone")
    options = parser.parse_args(argv)
    if options.child:
        child(options.child)
        return
    parts = {"sizes": lambda: beside.sizes(options.most, not options.alone), "agreement": beside.agreement, "draws": beside.draws}
    for name, part in parts.items():
        if options.part in (None, name):
            part()
    if options.part in (None, "million"):
        million(options)


def million(options):
    """The table of a large file, in three sizes, and what stands beside it."""
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="leasc-scale-") as folder:
        path, begun = Path(folder) / "points.npy", time.perf_counter()
        y = write_union_of_subspaces(path, options.points, options.clusters, options.dim, options.dims, options.noise, 0)
        print(f"{path.stat().st_size / 1e9:.1f} GB of points written in {time.perf_counter() - begun:.0f} s\n", flush=True)
        sizes = sorted({max(2 * options.clusters, round(options.points * share)) for share in (0.1, 0.3, 1.0)})
        kept = sizes_table(path, y, sizes, options, folder)
        slow_beside(path, y, kept[-1], options, folder)
        precision_table(path, options, folder, min(20_000, options.points))
        peers_table(path, y, kept[0], options)


if __name__ == "__main__":
    main()
