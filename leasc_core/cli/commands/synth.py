"""``synth``: points on a union of subspaces, with their labels beside them, to learn and to measure with."""

import sys
import tempfile
from pathlib import Path

from ...errors import ParameterError
from ..progress import add_progress_arguments, progress_of, took
from ..terminal import pairs, styled

USAGE = "FILE [--points N] [--dims D] [--clusters K] [options]"
DESCRIPTION = """\
Draw points on random subspaces, add noise, and write them to a file, block by block: memory does not grow with the points.
A .npy file gets its labels beside it (union-labels.npy for union.npy); .csv, .parquet and .npz carry them inside."""
EPILOG = """\
examples:
  synth union.npy --points 1000000 --dims 1024 --clusters 100     4 GB on disk
  synth planes.csv --points 2000 --dims 10 --clusters 4 --dim 2
  synth lines.csv --preset four_lines                             the paper's example"""
SUFFIXES = (".npy", ".csv", ".tsv", ".parquet", ".npz")


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("output", help="the file to write: .npy, .csv, .tsv, .parquet or .npz")
    parser.add_argument("--points", type=int, default=10_000, help="how many (10,000)")
    parser.add_argument("--dims", type=int, default=100, help="features of a point (100)")
    parser.add_argument("--clusters", type=int, default=10, help="subspaces (10)")
    parser.add_argument("--dim", type=int, default=5, help="dimension of each subspace (5)")
    parser.add_argument("--noise", type=float, default=0.05, help="length of the noise against that of a point (0.05)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same bytes (0)")
    parser.add_argument("--preset", metavar="NAME", help="a named example instead; --preset list names them")
    add_progress_arguments(parser)


def run(options):
    """Write the file; returns the exit code."""
    import time

    if options.preset == "list":
        return _list_presets()
    output = Path(options.output)
    if output.suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{output} does not end in a format that is written here; use one of {', '.join(SUFFIXES)}.")
    if options.seed < 0:
        raise ParameterError(f"--seed {options.seed} is negative; give 0 or more.")
    begun, progress = time.perf_counter(), progress_of(options)
    with progress:
        shape, clusters, files = (_write_preset if options.preset else _write_union)(options, output, progress)
    summary = {
        "points": shape[0],
        "features": shape[1],
        "clusters": clusters,
        "files": [str(file) for file in files],
        "bytes": sum(file.stat().st_size for file in files),
        "seconds": time.perf_counter() - begun,
    }
    progress.say("Finished", **summary)
    if not (options.quiet or options.json):
        _tell(summary)
    return 0


def _write_preset(options, output, progress):
    from ...data.synthetic.presets import make_preset

    points, labels = make_preset(options.preset, options.seed)
    return points.shape, len(set(labels.tolist()) - {-1}), _save(output, points, labels)


def _write_union(options, output, progress):
    import numpy as np

    shape = (options.points, options.dims)
    if output.suffix.lower() == ".npy":
        labels = _draw(options, output, progress)
        return shape, options.clusters, [output, _save_labels(output, labels)]
    with tempfile.TemporaryDirectory(dir=output.absolute().parent, prefix=".synth-") as folder:
        drawn = Path(folder) / "points.npy"
        labels = _draw(options, drawn, progress)
        return shape, options.clusters, _save(output, np.load(drawn, mmap_mode="r", allow_pickle=False), labels)


def _draw(options, path, progress):
    from ...data.synthetic.large import write_union_of_subspaces
    from ...events import Reporter

    reporter = Reporter(progress)
    with reporter.stage("drawing", options.points):
        count = reporter.counter("drawing", options.points)
        return write_union_of_subspaces(
            path,
            options.points,
            options.clusters,
            options.dim,
            options.dims,
            options.noise,
            options.seed,
            progress=lambda done, _: count(done),
        )


def _save(output, points, labels):
    from ...data.writers import save_data
    from ...storage.files import writing

    with writing(output.absolute()):
        if output.suffix.lower() == ".npy":
            save_data(output, points)
            return [output, _save_labels(output, labels)]
        save_data(output, points, labels)
    return [output]


def _save_labels(output, labels):
    from ..labels import write_labels

    path = output.with_name(f"{output.stem}-labels.npy")
    write_labels(path, labels)
    return path


def _list_presets():
    from ...data.synthetic.presets import PRESETS

    pairs([(name, f"{preset.title}. {preset.lesson}") for name, preset in PRESETS.items()])
    return 0


def _tell(summary):
    from ...runs.budget import readable_bytes

    what = styled(f"{summary['points']:,} points × {summary['features']:,} features", "bold", sys.stdout)
    print(f"{what} on {summary['clusters']} subspaces, {readable_bytes(summary['bytes'])}, in {took(summary['seconds'])}")
    pairs([("points", summary["files"][0]), *([("labels", summary["files"][1])] if len(summary["files"]) > 1 else [])])
