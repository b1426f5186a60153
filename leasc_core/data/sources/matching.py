"""New data matched to those of a model by the names of their features, in whatever order they come."""

import numpy as np

from leasc_core.data.guards import one_line, refuse
from leasc_core.data.sources.source import DataSource

SHOWN = 4


class ReorderedSource(DataSource):
    """The same rows with their features in another order."""

    def __init__(self, base, order):
        super().__init__(base.shape, base.dtype, base.name)
        for name in ("labels", "label_names", "image_shape", "notes", "columns", "metadata", "layout"):
            setattr(self, name, getattr(base, name))
        self.base, self.order = base, np.asarray(order)
        self.feature_names = [base.feature_names[at] for at in order]

    def rows(self, start, stop):
        return self.base.rows(start, stop)[:, self.order]

    def raw_blocks(self, rows, start=0):
        for first, block in self.base.raw_blocks(rows, start):
            yield first, block[:, self.order]

    def _take_sorted(self, wanted):
        return self.base.take(wanted)[:, self.order]


def match(source, names) -> DataSource:
    """The source with its features in the order of `names`; a missing or foreign one is refused by its name.

    A source whose features have no names is taken as it is.
    """
    own = source.feature_names
    if own is None or names is None or list(own) == list(names):
        return source
    places = {name: at for at, name in enumerate(own)}
    missing = [name for name in names if name not in places]
    if missing:
        some = ", ".join(f"'{one_line(name, 40)}'" for name in missing[:SHOWN]) + (", …" if len(missing) > SHOWN else "")
        raise refuse(source.name, f"has no feature {some}, which the model knows", "add it, or name it as in the model's data")
    known = set(names)
    foreign = [name for name in own if name not in known]
    if foreign:
        what = f"has the feature '{one_line(foreign[0], 40)}', which the model does not know"
        raise refuse(source.name, what, "leave it out, or take the model that belongs to it")
    return ReorderedSource(source, [places[name] for name in names])
