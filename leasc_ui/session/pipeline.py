"""What each room of the pipeline hands to the next: results with the fingerprint of what they were made from. No Streamlit."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np

from leasc_core.data.sources import DataSource
from leasc_ui.session.fields import to_address


def fingerprint_of(*parts):
    """A short name for whatever the parts say; the same parts, the same name."""
    return sha256(repr(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class LoadedData:
    """The points a visitor brought or made.

    ``recipe`` is plain JSON and says how to get them again: ``{"kind": "synthetic", …}``, ``{"kind": "file", "path": …,
    "options": {…}}``. ``preprocess`` is the fitted cleaning, or None. Labels are shown and scored, never used.
    """

    name: str
    recipe: dict
    source: DataSource = field(repr=False)
    preprocess: object | None = field(default=None, repr=False)
    labels: np.ndarray | None = field(default=None, repr=False)
    label_names: tuple | None = field(default=None, repr=False)
    image_shape: tuple | None = None

    @cached_property
    def fingerprint(self):
        return fingerprint_of(self.source.fingerprint, self.recipe.get("preprocess"))

    @cached_property
    def points(self) -> DataSource:
        """The rows as every later room sees them: cleaned and scaled."""
        if self.preprocess is None:
            return self.source
        from leasc_core.data.preprocessing import PreprocessedSource

        return PreprocessedSource(self.source, self.preprocess)

    def __len__(self):
        return len(self.source)


@dataclass(frozen=True)
class RepresentativeSettings:
    selector: str = "random"
    count: int = 100
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ChosenRepresentatives:
    """Which rows stand for all."""

    made_from: str
    settings: RepresentativeSettings
    indices: np.ndarray = field(repr=False)
    seconds: float = 0.0

    @cached_property
    def fingerprint(self):
        return fingerprint_of(self.made_from, self.settings)


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A fitted RPCM of the representatives, with what the solver said on the way."""

    made_from: str
    settings: object
    rpcm: object = field(repr=False)
    events: tuple = field(default=(), repr=False)
    seconds: float = 0.0

    @cached_property
    def fingerprint(self):
        # Of what differs from the defaults, so that one more setting leaves the names of what is there as they are.
        return fingerprint_of(self.made_from, sorted(to_address(self.settings).items()))


@dataclass(frozen=True, eq=False)
class FoundClusters:
    """A label for every point, and the run folder that holds everything else."""

    made_from: str
    settings: object
    labels: np.ndarray = field(repr=False)
    folder: str | None = None
    seconds: float = 0.0


@dataclass
class Pipeline:
    """The four rooms as they stand; a later one may be older than the one it was made from, and then is stale."""

    data: LoadedData | None = None
    representatives: ChosenRepresentatives | None = None
    model: TrainedModel | None = None
    clusters: FoundClusters | None = None

    def status(self, room):
        """missing, stale or ready; ``room`` is data, representatives, model or clusters."""
        result = getattr(self, room)
        if result is None:
            return "missing"
        if room == "data":
            return "ready"
        if room == "clusters" and self.data is not None and result.made_from == self.data.fingerprint:
            return "ready"  # the whole method on the data themselves
        before = ROOMS[ROOMS.index(room) - 1]
        fresh = self.status(before) == "ready" and getattr(self, before).fingerprint == result.made_from
        return "ready" if fresh else "stale"

    def ready(self, room):
        """The result of a room where it may be used, else None."""
        return getattr(self, room) if self.status(room) == "ready" else None

    def set(self, stage, result):
        """Put a result in its place; what was made from another one then shows as stale."""
        if stage not in ROOMS:
            raise KeyError(stage)
        setattr(self, stage, result)

    def snapshot(self) -> tuple:
        """All results as they stand, for :meth:`restore`."""
        return tuple(getattr(self, stage) for stage in ROOMS)

    def restore(self, results):
        """The results as they stood when :meth:`snapshot` was taken."""
        for stage, result in zip(ROOMS, results, strict=True):
            self.set(stage, result)


ROOMS = ("data", "representatives", "model", "clusters")
