"""What the theory is looked at on: the visitor's own pipeline as far as it goes, or the four lines. No Streamlit in here."""

from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from leasc_core.data.sources import DataSource
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import fingerprint_of

REPRESENTATIVES, HIDDEN, CLUSTERS = 88, 50, 4


@dataclass(frozen=True, eq=False)
class Subject:
    """Points, and whatever has been made of them; what is missing is None.

    ``fingerprint`` names all of it, ``data`` the points alone. ``known`` are labels that came with the data, ``clusters`` those
    that were found. ``stale`` names rooms that hold something older than what they were made from.
    """

    name: str
    fingerprint: str
    data: str
    source: DataSource = field(repr=False)
    known: np.ndarray | None = field(default=None, repr=False)
    indices: np.ndarray | None = field(default=None, repr=False)
    selector: str | None = None
    network: object | None = field(default=None, repr=False)
    settings: TrainSettings = field(default_factory=TrainSettings)
    clusters: np.ndarray | None = field(default=None, repr=False)
    stale: tuple = ()

    @property
    def groups(self):
        """Labels to tell subspaces apart, found ones first, and what they are called."""
        if self.clusters is not None:
            return self.clusters, "cluster"
        return self.known, "class"


def subject_of(pipeline) -> Subject | None:
    """The visitor's own, or None without data."""
    data = pipeline.ready("data")
    if data is None:
        return None
    chosen, model, found = (pipeline.ready(room) for room in ("representatives", "model", "clusters"))
    made = [part.fingerprint for part in (data, chosen, model) if part is not None]
    if found is not None:
        made.append(sha256(np.ascontiguousarray(found.labels)).hexdigest())
    return Subject(
        name=data.name,
        fingerprint=fingerprint_of(*made),
        data=data.fingerprint,
        source=data.points,
        known=data.labels,
        indices=None if chosen is None else chosen.indices,
        selector=None if chosen is None else chosen.settings.selector,
        network=None if model is None else model.rpcm.network_,
        settings=TrainSettings() if model is None else model.settings,
        clusters=None if found is None else found.labels,
        stale=tuple(room for room in ("representatives", "model", "clusters") if pipeline.status(room) == "stale"),
    )


def four_lines() -> Subject:
    """The paper's 800 points with 88 random representatives, a network of 50 units and four clusters; computed, not stored."""
    from leasc_core import LeaSC
    from leasc_core.data.sources import open_source
    from leasc_core.data.synthetic import four_rays
    from leasc_ui.screens.example.compute import in_order_of_rows

    points, rays = four_rays(0)
    model = LeaSC(CLUSTERS, n_representatives=REPRESENTATIVES, selector="random", hidden=(HIDDEN,), random_state=0).fit(points)
    return Subject(
        name="Four lines",
        fingerprint="four lines",
        data="four lines",
        source=open_source(points),
        known=rays,
        indices=model.representative_indices_,
        selector="random",
        network=model.network_,
        settings=TrainSettings(hidden=HIDDEN),
        clusters=in_order_of_rows(model.labels_),
    )
