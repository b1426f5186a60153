"""How a data file is to be read: the options that all commands share, and the file opened with progress."""

import argparse
import re
import time
from pathlib import Path

from ..data.columns.info import ASKED, check_roles
from ..errors import DataError, ParameterError
from ..events import PointsDone, StageFinished, StageStarted

NAMES = (
    "array",
    "label",
    "transpose",
    "separator",
    "header",
    "decimal",
    "encoding",
    "sheet",
    "spectrum",
    "background",
    "window",
    "roles",
)


def add_reading_arguments(parser):
    """The options of ``load_data``; what is not given is found out from the file."""
    reading = parser.add_argument_group("reading the file (all of it is found out if not given)")
    reading.add_argument("--array", metavar="NAME", help="which array of an .npz, .mat or .h5 file to take")
    labels = reading.add_mutually_exclusive_group()
    labels.add_argument("--label", metavar="NAME", help="the array or column (name or position) that holds labels")
    labels.add_argument("--no-labels", action="store_true", help="the file holds no labels: every column is a feature")
    yes_or_no = {"action": argparse.BooleanOptionalAction, "default": None}
    reading.add_argument("--transpose", **yes_or_no, help="columns are the points, not rows")
    reading.add_argument("--separator", metavar="CHAR", help="what stands between the cells of a text table")
    reading.add_argument("--header", **yes_or_no, help="the first line of a text table names its columns")
    reading.add_argument("--decimal", metavar="CHAR", help="the decimal point of a text table: . or ,")
    reading.add_argument("--encoding", metavar="NAME", help="how a text table is encoded, such as utf-8 or cp1252")
    reading.add_argument("--sheet", metavar="NAME", help="which sheet of a workbook to take (the first with a table)")
    reading.add_argument(
        "--spectrum", type=int, choices=(0, 1, 2), help="which axis of a cube is the spectrum: pixels are the points"
    )
    reading.add_argument("--background", type=float, metavar="VALUE", help="what marks pixels of a scene that belong to nothing")
    reading.add_argument(
        "--window", type=int, metavar="ROWS", help="cut a table of one moment a row into windows of so many rows"
    )
    reading.add_argument(
        "--role", metavar="COLUMN=ROLE", action="append", dest="roles", type=_role, help=f"{', '.join(ASKED)}; may be repeated"
    )


def _role(text):
    """`(column, role)` of NAME=ROLE."""
    column, _, role = text.rpartition("=")
    try:
        return next(iter(check_roles({column: role}).items())) if column else _role_refused(text)
    except ParameterError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None


def _role_refused(text):
    raise argparse.ArgumentTypeError(f"{text!r} names no column: write it as COLUMN=ROLE, as in year=left-out")


def reading_options(options):
    """What the command line said about reading, as ``open_source`` takes it."""
    chosen = {name: getattr(options, name) for name in NAMES if getattr(options, name) is not None}
    if "roles" in chosen:
        chosen["roles"] = dict(chosen["roles"])
    if options.no_labels:
        chosen["label"] = False
    elif re.fullmatch(r"-?\d+", str(chosen.get("label", ""))):
        chosen["label"] = int(chosen["label"])
    return chosen


def open_data(path, wishes, progress, stop_asked=lambda: False):
    """The source of a file; where it has to be converted first, ``progress`` is told."""
    from ..data.sources import open_source

    path = existing(path)
    begun = None

    def converting(rows, expected):
        nonlocal begun
        if begun is None:
            begun = time.perf_counter()
            progress(StageStarted("reading", expected))
        progress(PointsDone("reading", rows, expected or rows, time.perf_counter() - begun))
        return stop_asked()

    source = open_source(path, progress=converting, **wishes)
    if begun is not None:
        progress(StageFinished("reading", time.perf_counter() - begun))
    if wishes.get("label", False) is not False and source.labels is None:
        raise DataError(f"{path} holds no labels by the name {wishes['label']}; leave --label out, or give them by --truth.")
    return source


def existing(path):
    """The path, or a sentence that says it is not there."""
    path = Path(path)
    if not path.exists():
        raise DataError(f"{path} does not exist; check the name and the folder you are in ({Path.cwd()}).")
    return path


def read_labels(path, count):
    """One label a point from a file of their own: ``.npy``, or a text file with one a line."""
    import numpy as np

    path = existing(path)
    try:
        if path.suffix.lower() == ".npy":
            labels = np.load(path, allow_pickle=False)
        else:
            labels = np.array(path.read_text("utf-8").split("\n"))
            labels = np.char.strip(labels[:-1] if labels[-1] == "" else labels)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(f"{path} cannot be read as labels ({error}); give a .npy file or a text file with one a line.") from None
    labels = labels[1:] if labels.ndim == 1 and len(labels) == count + 1 and labels.dtype.kind == "U" else labels
    if labels.shape != (count,):
        raise DataError(f"{path} holds labels of shape {labels.shape} for {count:,} points; give one label a point.")
    return labels
