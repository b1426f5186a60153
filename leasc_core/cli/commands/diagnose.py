"""``diagnose``: is this subspace data? A verdict in plain words, with the numbers behind it."""

import json
import sys

from ..progress import Silent, Told
from ..reading import add_reading_arguments, existing, open_data, read_labels, reading_options
from ..terminal import pairs, plain, styled

USAGE = "DATA [options]"
DESCRIPTION = """\
Say whether the points of a file lie on a few low-dimensional subspaces, so that this method is for them. About 800 rows are
looked at; each check is a number beside what data without subspaces would show. Labels in the file are not looked at."""
EPILOG = """\
examples:
  diagnose digits.npz
  diagnose digits.npz --clusters digits-leasc/labels.npy    each cluster that was found: its dimension, what it is nearest to
  diagnose big.npy --json"""


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("data", help="the file (or folder of pictures) with the points")
    parser.add_argument("--clusters", metavar="FILE", help="clusters that were found (.npy, or one a line), to look at")
    parser.add_argument("--seed", type=int, default=0, help="which rows are looked at (0)")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, nothing else")
    add_reading_arguments(parser)


def run(options):
    """Look and tell; returns the exit code."""
    from ...diagnosis.verdict import diagnose

    with Silent() if options.json else Told() as progress:
        source = open_data(existing(options.data), reading_options(options), progress)
        labels = None if options.clusters is None else _numbered(read_labels(options.clusters, len(source)))
        found = diagnose(source, labels, options.seed)
    if options.json:
        print(json.dumps(found.facts()))
        return 0
    print(f"{styled(found.verdict.upper(), 'bold', sys.stdout)}  {plain(found.headline)}\n     {plain(found.advice)}\n")
    pairs([(check.name, check.sentence) for check in found.checks])
    if labels is not None:
        print()
        pairs([(f"cluster {group.label + 1}", _in_words(group)) for group in found.groups])
    print(f"\n{found.looked_at:,} of {found.total:,} rows were looked at.")
    return 0


def _numbered(labels):
    import numpy as np

    return np.unique(labels, return_inverse=True)[1]


def _in_words(group):
    near = "" if group.nearest is None else f", most like cluster {group.nearest + 1} ({group.affinity:.2f})"
    return f"{group.count:,} points seen, dimension {group.dimension}, {100 * group.left:.0f} % of their length outside it{near}"
