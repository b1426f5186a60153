"""What a run was asked: its settings, and what its folder remembers of how it came about; plain JSON. No Streamlit."""

import json
from dataclasses import dataclass
from pathlib import Path

from leasc_ui.data.pictures import scale_of

AUTO = "auto"
REQUEST = "request.json"


@dataclass(frozen=True)
class ClusterSettings:
    """``clusters=None`` finds the number; ``landmarks=None`` takes the usual number; ``draws`` are clustered as one.

    The whole method runs on the data, with the preparation and the graph chosen or given; ``mine`` takes the visitor's own
    representatives and function instead.
    """

    clusters: int | None = None
    seed: int = 0
    affinity: str = AUTO
    landmarks: int | None = None
    draws: int = 1
    preparation: str = AUTO
    mine: bool = False

    def graph(self):
        """What differs from the usual in how points are joined, as parameters of :class:`leasc_core.LeaSC`."""
        usual = "landmarks" if self.mine else AUTO
        wanted = {"affinity": self.affinity, "n_landmarks": self.landmarks, "n_draws": self.draws}
        return {name: value for name, value in wanted.items() if value not in (None, usual, AUTO, 1)}


@dataclass(frozen=True)
class Request:
    """What a run's folder remembers of how it came about; plain JSON.

    ``model`` is the fingerprint of what the clusters are made from: the visitor's own function, or the data.
    """

    name: str
    recipe: dict
    model: str
    representatives: dict
    train: dict
    clusters: dict
    label_names: list | None = None

    @property
    def settings(self):
        return ClusterSettings(**self.clusters)


def request_of(folder) -> Request | None:
    """What a run was asked; None where that is not known."""
    try:
        return Request(**json.loads((Path(folder) / REQUEST).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def whole_parameters(data, settings):
    """The parameters of :class:`leasc_core.LeaSC` where it does everything itself: what is not given is its default."""
    wanted = {"n_clusters": settings.clusters, "random_state": settings.seed} | settings.graph()
    preparation = settings.preparation
    if preparation == AUTO and (data.recipe.get("preprocess") or {}).get("scattering"):
        preparation = f"scattering{scale_of(data.image_shape)}"
    if preparation != AUTO:
        wanted["preprocess"] = preparation
    return {name: value for name, value in wanted.items() if value is not None}
