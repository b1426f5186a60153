"""Labels on their way to a file: CSV, TSV, Parquet or .npy, as the name says."""

from pathlib import Path

import numpy as np

from ..errors import ParameterError

SUFFIXES = (".csv", ".tsv", ".npy", ".parquet")
COLUMN = "cluster"


def check_labels_path(path, *inputs, join=False):
    """Refuse, before anything is computed, a name that cannot be written to or that is one of the inputs."""
    path = Path(path)
    if join and path.suffix.lower() == ".npy":
        raise ParameterError(f"{path} holds one array and no columns beside it; with --join write .csv, .tsv or .parquet.")
    if path.suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{path} does not end in a format for labels; use one of {', '.join(SUFFIXES)}.")
    if not path.absolute().parent.is_dir():
        raise ParameterError(f"{path.parent} is no folder; make it first, or write elsewhere.")
    if any(path.exists() and Path(each).exists() and path.samefile(each) for each in inputs):
        raise ParameterError(f"{path} is what is being read; write the labels to another file.")
    return path


def write_labels(path, labels, confidence=None, certain=None, join=None):
    """One label a row, in the order of the points, with its confidence beside it where a table can hold that.

    ``certain`` writes -1 for labels less sure than that; ``join`` is the source whose own columns come first. Returns the
    share of labels kept.
    """
    from ..data.joined import save_joined
    from ..data.writers import save_data
    from ..estimators.confidence import certain as certain_labels
    from ..storage.files import replacing, writing

    path, labels, share = Path(path), np.asarray(labels), 1.0
    if certain is not None:
        if confidence is None:
            raise ParameterError("certain labels need their confidence; cluster with confidence_draws of at least 1.")
        kept, share = certain_labels(confidence, certain)
        labels = np.where(kept, labels, -1)
    with writing(path.absolute()):
        if join is not None:
            save_joined(path, join, {COLUMN: labels} | ({} if confidence is None else {"confidence": np.asarray(confidence)}))
        elif path.suffix.lower() == ".npy":
            with replacing(path) as file:
                np.save(file, labels, allow_pickle=False)
        elif confidence is None:
            save_data(path, labels[:, None], feature_names=[COLUMN])
        else:
            save_data(path, np.asarray(confidence)[:, None], labels, feature_names=["confidence"], label_column=COLUMN)
    return share
