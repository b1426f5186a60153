"""`python -m benchmarks.data`: features, tables and the whole way from MNIST's files to labels, with the time of each part.

`--quick` takes small sizes, `--chain` the last part alone. Labels are read by the metrics alone.
"""

import argparse
import time

import numpy as np

from . import scattering
from .meter import Peak, table

BLOCK_ROWS = 4096


class Stages:
    """Runs the stages of a chain and keeps what each took."""

    def __init__(self):
        self.rows = []

    def run(self, name, work, note=lambda result: ""):
        with Peak() as peak:
            result = work()
        self.rows.append((name, peak.seconds, peak.megabytes, note(result)))
        return result

    def show(self):
        total = sum(seconds for _, seconds, *_ in self.rows)
        rows = [(name, f"{seconds:.1f}", f"{megabytes:,.0f}", note) for name, seconds, megabytes, note in self.rows]
        table(("stage", "seconds", "MB more at its peak", "result"), [*rows, ("together", f"{total:.1f}", "", "")])


def read_mnist(quick):
    """Pictures in rows and their labels, by the reader users have."""
    from leasc_core import load_data

    parts = ("t10k",) if quick else ("train", "t10k")
    sets = [load_data(scattering.MNIST / f"{part}-images-idx3-ubyte.gz") for part in parts]
    return np.concatenate([data.X for data in sets]), np.concatenate([data.y for data in sets]), sets[0].image_shape


def chain(quick, draws=1):
    """MNIST's files -> scattering -> maps over their maxima -> PCA 500 -> unit rows -> LeaSC, and how well it did.

    An ensemble of ``draws`` has 2,000 representatives and 4,000 landmarks each.
    """
    if not scattering.MNIST.exists():
        print("MNIST is not in ../shared/data: the way from its files to labels is left out.")
        return
    from leasc_core import LeaSC
    from leasc_core.data.scale import unit_rows
    from leasc_core.features.pca import StreamingPCA
    from leasc_core.features.scattering import Scattering2D, map_maxima, normalise_maps
    from leasc_core.metrics import score

    stages = Stages()
    images, labels, shape = stages.run("read IDX", lambda: read_mnist(quick), lambda got: f"{got[0].shape}")
    transform = Scattering2D(shape, zero_pad=True)
    features = stages.run("scattering", lambda: transform(images), lambda got: f"{got.shape}")
    n_maps = transform.output_shape[0]
    stages.run("maps over maxima", lambda: normalise_maps(features, map_maxima(features, n_maps)))
    pca = stages.run(
        "PCA 500",
        lambda: StreamingPCA(500).fit(features),
        lambda got: f"{got.explained_variance_ratio_.sum():.1%} of the variance",
    )
    parts = [features[start : start + BLOCK_ROWS] for start in range(0, len(features), BLOCK_ROWS)]
    rows = stages.run(
        "project, unit rows",
        lambda: np.concatenate([unit_rows(pca.transform(part)) for part in parts]),
        lambda got: f"{got.shape}",
    )
    more = {"n_draws": draws, "n_representatives": 2000, "n_landmarks": 4000} if draws > 1 else {}
    found = stages.run("LeaSC", lambda: LeaSC(n_clusters=10, random_state=0, **more).fit(rows).labels_)
    print("\nfrom MNIST's files to labels")
    stages.show()
    print("  ".join(f"{name.upper()} {value:.4f}" for name, value in score(labels, found).items()))


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes: 10,000 digits instead of 70,000")
    parser.add_argument("--chain", action="store_true", help="only the way from MNIST's files to labels")
    parser.add_argument("--draws", type=int, default=1, help="an ensemble of so many draws at the end of that way (1)")
    options = parser.parse_args(argv)
    begun = time.perf_counter()
    if not options.chain:
        from . import tables

        passed_on = ["--quick"] if options.quick else []
        scattering.main(passed_on)
        tables.main(passed_on)
    chain(options.quick, options.draws)
    print(f"\nall of this took {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
