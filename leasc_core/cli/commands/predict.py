"""``predict``: the clusters of new points, by a model that was fitted before."""

import sys
from pathlib import Path

from ..labels import check_labels_path, write_labels
from ..outcome import scores_in_words, sizes_in_words
from ..progress import add_progress_arguments, progress_of, took, warnings_told
from ..reading import add_reading_arguments, existing, open_data, reading_options
from ..terminal import pairs, styled

USAGE = "MODEL DATA -o FILE [options]"
DESCRIPTION = """\
Give each point of a file the cluster that a fitted model puts it into: f codes it, the landmarks place it, the nearest centre
names it. One pass, block by block; nothing is learned."""
EPILOG = """\
examples:
  predict out/ new.csv -o labels.csv                  the model of a run's folder
  predict out/model.leasc new.parquet -o labels.npy"""


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("model", help="a .leasc file, or the folder of a finished run")
    parser.add_argument("data", help="the file with the new points: the same features, by name where they have names")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="labels, one a row: .csv, .tsv, .parquet or .npy")
    parser.add_argument("--join", action="store_true", help="write the columns of the file as well, the labels behind them")
    add_reading_arguments(parser)
    add_progress_arguments(parser)


def run(options):
    """Label the points; returns the exit code."""
    import time

    import numpy as np

    from ...estimators.points import known_columns
    from ...workbench.edited import load_model

    model_path = existing(options.model)
    model_path = _model_in(model_path) if model_path.is_dir() else model_path
    check_labels_path(options.output, model_path, existing(options.data), join=options.join)
    begun, progress = time.perf_counter(), progress_of(options)
    with progress, warnings_told(progress):
        model = load_model(model_path)
        wishes = reading_options(options) | {"like": known_columns(getattr(model, "model", model))}
        source = open_data(options.data, wishes, progress)
        model.on_event = progress
        sure = hasattr(model, "calibration_")
        labels, confidence = model.predict_with_confidence(source) if sure else (model.predict(source), None)
        write_labels(options.output, labels, confidence, join=source if options.join else None)
    summary = {
        "points": len(labels),
        "sizes": np.bincount(labels[labels >= 0], minlength=model.n_clusters_).tolist(),
        "scores": _scores(source, labels),
        "seconds": time.perf_counter() - begun,
        "labels": str(Path(options.output)),
    }
    progress.say("Finished", **summary)
    if not (options.quiet or options.json):
        _tell(summary)
    return 0


def _model_in(run):
    """The model of a run's folder; the one with edits, where a project came with such a one."""
    edited = run / "edited.leasc"
    return edited if edited.is_file() else run / "model.leasc"


def _scores(source, labels):
    if source.labels is None:
        return None
    from ...metrics import score

    return score(source.labels, labels)


def _tell(summary):
    count = styled(f"{summary['points']:,} points", "bold", sys.stdout)
    print(f"{count} labelled in {took(summary['seconds'])}")
    rows = [("sizes", sizes_in_words(summary["sizes"])), ("labels", summary["labels"])]
    if summary["scores"]:
        rows.insert(1, ("scores", scores_in_words(summary["scores"]) + "  (by the file's own labels, used for nothing else)"))
    pairs(rows)
