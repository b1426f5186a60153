"""``python -m benchmarks.needs``: what a fit is said to need against what it takes, and how soon a stop is answered.

Twelve shapes from 50 × 20,000 to 1,000,000 × 64, with defaults and the number of clusters unknown, each in a process of its own.
Required: seconds within a factor of two, memory never above what was said, a stop within a second at any moment.
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

from .meter import table
from .scale import Watch

SHAPES = (
    (50, 20_000),
    (100, 20_000),
    (400, 1024),
    (500, 5000),
    (1000, 30),
    (2000, 2000),
    (5000, 100),
    (10_000, 16),
    (11_000, 256),
    (70_000, 500),
    (200_000, 128),
    (1_000_000, 64),
)
CLUSTERS = 5


def child(path, stop_after):
    """One fit in this process, stopped after so many seconds where that is not 0: prints one line of JSON."""
    from leasc_core import LeaSC
    from leasc_core.data.sources import open_source
    from leasc_core.events import StageStarted
    from leasc_core.runs.run import need_of

    asked, stages, source = threading.Event(), ["opening"], open_source(path)

    def listen(event):
        stages.extend([event.stage] if isinstance(event, StageStarted) else [])
        return asked.is_set()

    model = LeaSC(random_state=0, on_event=listen)
    need, watch, begun, moment = need_of(model, source), Watch(), time.perf_counter(), {}
    if stop_after:

        def ask():
            moment.update(at=time.perf_counter(), stage=stages[-1])
            asked.set()

        threading.Timer(stop_after, ask).start()
    model.fit(source)
    ended = time.perf_counter()
    figures = {"seconds": ended - begun, "memory": watch.stop(), "said": [need.seconds, need.memory], "stopped": model.stopped_}
    if model.stopped_:
        figures |= {"answered": ended - moment["at"], "stage": moment["stage"]}
    print(json.dumps(figures))


def run(path, stop_after=0.0):
    """The child's figures."""
    command = [sys.executable, "-m", "benchmarks.needs", "--child", str(path), str(stop_after)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(said.splitlines()[-1])


def one_shape(shape, folder, stops, rng):
    """A row of the table, and the stops that took longest to be answered."""
    path = Path(folder) / "points.npy"
    write_union_of_subspaces(path, shape[0], CLUSTERS, 4, shape[1])
    figures = run(path)
    (seconds, memory), took, held = figures["said"], figures["seconds"], figures["memory"]
    answers = []
    for moment in rng.uniform(0, took, stops):
        found = run(path, max(0.01, moment))
        if found["stopped"]:
            answers.append((found["answered"], found["stage"]))
    slow = max(answers, default=(float("nan"), "–"))
    path.unlink()
    return (
        f"{shape[0]:,} × {shape[1]:,}",
        f"{seconds:.1f}",
        f"{took:.1f}",
        f"{seconds / took:.2f}",
        f"{memory / 1e6:,.0f}",
        f"{held / 1e6:,.0f}",
        f"{memory / held:.2f}",
        f"{slow[0]:.2f} ({slow[1]})",
    )


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=int, nargs="*", help="which of the twelve, from 0 (all)")
    parser.add_argument("--stops", type=int, default=0, help="stops at so many random moments of each shape (required: 20)")
    parser.add_argument("--folder", help="where the data go (a temporary folder, removed afterwards)")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        child(options.child[0], float(options.child[1]))
        return
    rows, rng = [], np.random.default_rng(0)
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="leasc-needs-") as folder:
        for at in options.shapes or range(len(SHAPES)):
            rows.append(one_shape(SHAPES[at], folder, options.stops, rng))
            print(*rows[-1], flush=True)
    print()
    table(("shape", "said, s", "took, s", "ratio", "said, MB", "held, MB", "ratio", "slowest stop, s"), rows)


if __name__ == "__main__":
    main()
