"""The profile of a run's clusters: what the core says of their raw columns, and what the run knows of them. No Streamlit."""

import base64
from functools import cached_property
from io import BytesIO

import numpy as np

from leasc_core.workbench.beside import goes_with
from leasc_core.workbench.profile import Profiles, profile
from leasc_core.workbench.told import Facts, csv_of, table
from leasc_ui.results.edited import exported
from leasc_ui.results.results import stratified

# Enough members to see a dimension; more would only take longer.
MEMBERS_MEASURED = 150
MOST_MEASURED = 60
PICTURES, PICTURE_HEIGHT = 6, 28


class Profile:
    """All that a profile says of one result; computed as it is asked for."""

    def __init__(self, results, names):
        self.results, self.names = results, list(names)
        self.count = getattr(results, "clusters", results.count)

    @cached_property
    def profiles(self) -> Profiles:
        """Sizes, means, medians and effects of the raw columns, over all points."""
        source = self.results.data.source
        width = source.shape[1]
        columns = [str(name)[:60] for name in source.feature_names or [f"feature {at + 1}" for at in range(width)]]
        return profile(source, exported(self.results), self.count, columns)

    @cached_property
    def confidence(self) -> list:
        """The mean confidence of each cluster's drawn points, from 0 to 1."""
        labels = self.results.drawn_labels
        sums = np.bincount(labels, weights=self.results.confidence, minlength=self.results.count)
        return list((sums / np.maximum(1, np.bincount(labels, minlength=self.results.count)))[: self.count])

    @cached_property
    def dimensions(self) -> list | None:
        """How many dimensions the prepared points of each cluster have; None where there are too many clusters to measure."""
        if self.count > MOST_MEASURED:
            return None
        return [self._dimension(np.flatnonzero(self.results.drawn_labels == at)) for at in range(self.count)]

    @cached_property
    def nearest(self) -> list:
        """The name of the cluster that most of each one's points are next nearest to."""
        labels, rivals = self.results.drawn_labels, self.results.margins_and_rivals[1]
        found = []
        for at in range(self.count):
            near = rivals[(labels == at) & (rivals >= 0) & (rivals < self.count)]
            found.append(self.names[np.bincount(near).argmax()] if len(near) else "")
        return found

    @cached_property
    def beside(self) -> list:
        """What goes with each cluster among the columns that are no features."""
        source = self.results.data.source
        metadata = getattr(source, "metadata", None)
        if metadata is None or len(metadata) != len(self.results.labels):
            return [[] for _ in range(self.count)]
        roles = {column.name: column.role for column in source.columns}
        return goes_with(metadata, roles, exported(self.results), self.count)

    @cached_property
    def facts(self) -> Facts:
        """All of these, as the table tells them."""
        state = getattr(self.results, "state", None)
        notes = None if state is None else [state.notes.get(each, "") for each in state.ids]
        names = self.names[: self.count]
        return Facts(names, self.dimensions, self.confidence, self.nearest, self.beside, notes)

    @property
    def pictures(self) -> bool:
        """Whether rows are pictures, whose columns are pixels that nobody reads."""
        return self.results.data.image_shape is not None

    @cached_property
    def table(self) -> list:
        """A dictionary a cluster; of pictures without the words on pixels."""
        rows = table(self.profiles, self.facts)
        return (
            [{name: value for name, value in row.items() if name not in ("high", "low")} for row in rows]
            if self.pictures
            else rows
        )

    def csv(self) -> bytes:
        """The table with every column's mean, median and effect."""
        return csv_of(self.profiles, self.facts)

    @cached_property
    def typical_pictures(self) -> list:
        """A strip of each cluster's most typical pictures, as an address that a table shows."""
        return [self._strip(at) for at in range(self.count)]

    def typical(self, at) -> np.ndarray:
        """Rows of a cluster's most typical points."""
        return self.results.rows[self.results.members(at)[0]]

    def _dimension(self, members):
        from leasc_core.diagnosis.dimension import intrinsic_dimension

        if len(members) < 3:
            return None
        members = members[stratified(np.zeros(len(members)), MEMBERS_MEASURED)]
        points = self.results.data.points.take(self.results.rows[members]).astype(np.float64)
        left, sizes, _ = np.linalg.svd(points, full_matrices=False)
        kept = sizes > 1e-10 * max(sizes[0], np.finfo(float).tiny)
        return intrinsic_dimension(left[:, kept] * sizes[kept], np.random.default_rng(0)) if sizes[0] > 0 else 0

    def _strip(self, at):
        from PIL import Image

        from leasc_ui.data.preview import montage, pictures_of

        rows = self.typical(at)[:PICTURES]
        if not len(rows):
            return None
        sheet, stream = Image.fromarray(montage(pictures_of(self.results.data, rows), len(rows))), BytesIO()
        times = max(1, PICTURE_HEIGHT * 2 // sheet.height)
        sheet.resize((sheet.width * times, sheet.height * times), Image.Resampling.NEAREST).save(stream, "png")
        return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()
