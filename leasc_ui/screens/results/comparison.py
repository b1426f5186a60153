"""What a result can be compared with: other runs of the same data, and itself before its edits. No Streamlit."""

from dataclasses import dataclass, field

import numpy as np

from leasc_core.runs.folder import RunFolder
from leasc_core.workbench.comparison import Comparison, compare
from leasc_ui.results.edited import exported
from leasc_ui.results.edits import history_of
from leasc_ui.results.results import names_of

UNEDITED = "before the edits"


@dataclass(frozen=True, eq=False)
class Other:
    """Another labeling of the same points: what it is called, its labels (-1 for none), its clusters' names."""

    title: str
    labels: np.ndarray = field(repr=False)
    names: tuple = ()


def before_edits(results) -> Other | None:
    """The result as the run gave it; None where nothing was edited."""
    base = getattr(results, "base", None)
    return None if base is None else Other(UNEDITED, np.asarray(base.labels), tuple(names_of(base.folder, base.count)))


def of_run(folder, title, points) -> Other | None:
    """A finished run of as many points, as edited; None where it is not that."""
    files = RunFolder(folder)
    summary = files.summary()
    if summary is None or summary["points"] != points:
        return None
    labels = np.load(files.labels_file, mmap_mode="r", allow_pickle=False)
    history, count = history_of(folder), int(summary["n_clusters"])
    if not history.steps:
        return Other(title, np.asarray(labels), tuple(names_of(folder, count)))
    state = history.state(np.asarray(labels), count)
    return Other(title, state.compact, tuple(state.titles))


def compared(results, names, other: Other) -> Comparison:
    """This result (rows) against the other (columns)."""
    return compare(exported(results), other.labels, names[: getattr(results, "clusters", results.count)], other.names)
