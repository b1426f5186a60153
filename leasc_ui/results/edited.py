"""A finished run as edits have left it: the same points in the same places, in other clusters. No Streamlit in here."""

from functools import cached_property

import numpy as np

from leasc_core.explain.margins import margins_and_rivals
from leasc_core.workbench.history import History
from leasc_core.workbench.replay import State
from leasc_ui.results.results import Results, names_of

# What no edit changes: it is looked up in the run itself, so that the map stays as it is.
SHARED = ("model", "rows", "embedded", "spectral", "pca", "best_view", "_axes", "all_confidence", "representative_indices")
NOISE = "noise"


class EditedResults(Results):
    """A run's results after its edits. Points marked as noise stand as one more cluster, the last; ``noise`` is its position."""

    def __init__(self, base: Results, history: History):
        self.base, self.history = base, history
        self.folder, self.data, self.summary, self.config = base.folder, base.data, base.summary, base.config
        self.state: State = history.state(np.asarray(base.labels), base.count)
        compact = self.state.compact
        self.clusters = len(self.state.ids)
        self.noise = self.clusters if (compact < 0).any() else None
        self.labels = np.where(compact < 0, self.clusters, compact)
        self.count = self.clusters + (self.noise is not None)
        self.sizes = np.bincount(self.labels, minlength=self.count)

    @property
    def names(self) -> list:
        """What the clusters are called: by an edit, else as they were named before, else cluster 1, cluster 2, …"""
        before = names_of(self.folder, self.base.count)
        given = [
            self.state.names.get(each) or (before[each] if each < len(before) else f"cluster {each + 1}") for each in self.ids
        ]
        return given + ([NOISE] if self.noise is not None else [])

    @property
    def ids(self) -> tuple:
        """The numbers that the edits know the clusters by, in order."""
        return self.state.ids

    def palette(self, usual):
        """The colours of the clusters: each keeps its own while others come and go."""
        grey = ("#9AA0A8", "#6B7480")
        own = [self.state.colours.get(each) for each in self.ids]
        shades = [(given, given) if given else usual[each % len(usual)] for each, given in zip(self.ids, own, strict=True)]
        return tuple(shades + ([grey] if self.noise is not None else []))

    @cached_property
    def margins_and_rivals(self):
        """As of the run, by the middles of the edited clusters."""
        labels = self.drawn_labels
        sums = np.zeros((self.count, self.embedded.shape[1]))
        np.add.at(sums, labels, self.embedded)
        counts = np.bincount(labels, minlength=self.count)[:, None]
        return margins_and_rivals(self.embedded, (sums / np.maximum(counts, 1)).astype(np.float32), labels)

    @property
    def confidence(self):
        """How sure the run was of the drawn points."""
        return self.base.confidence

    @cached_property
    def scores(self):
        """ACC, NMI and ARI of the edited clusters, where labels came with the data."""
        if self.data.labels is None or len(self.data.labels) != len(self.labels):
            return None
        from leasc_core.metrics import score

        return score(self.data.labels, self.labels)

    def places(self, *asked):
        """Where the points lie: as in the run."""
        return self.base.places(*asked)

    def __getattr__(self, name):
        """The layouts, which the run keeps."""
        if name.startswith("__") or "base" not in vars(self):
            raise AttributeError(name)
        return getattr(self.base, name)


for _name in SHARED:
    setattr(EditedResults, _name, property(lambda self, name=_name: getattr(self.base, name)))


def exported(results) -> np.ndarray:
    """Labels as files have them: -1 for noise."""
    labels, noise = np.asarray(results.labels), getattr(results, "noise", None)
    return labels if noise is None else np.where(labels == noise, -1, labels)
