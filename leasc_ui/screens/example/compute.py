"""The 800-point example from noise to clusters: settings in, everything its page draws out. No Streamlit in here."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from leasc_ui.data.recipes import rays
from leasc_ui.screens.example.settings import FIND, ExampleSettings
from leasc_ui.work import core

# On a page that answers while a slider moves, codes certified to one per cent are enough.
TOLERANCE = 1e-2


@dataclass(frozen=True)
class ExampleRun:
    """What came of it. It is shared between visitors, so its arrays are read-only."""

    settings: ExampleSettings
    points: np.ndarray = field(repr=False)
    labels: np.ndarray = field(repr=False)
    representatives: np.ndarray = field(repr=False)
    representative_codes: np.ndarray = field(repr=False)
    codes: np.ndarray = field(repr=False)
    network: object = field(repr=False)
    scores: dict
    history: list = field(repr=False)
    network_history: list = field(repr=False)
    seconds: dict
    gap: float | None
    converged: bool
    excess: float | None

    def __post_init__(self):
        for array in (self.points, self.labels, self.representatives, self.representative_codes, self.codes):
            array.setflags(write=False)

    @property
    def total_seconds(self):
        return sum(self.seconds.values())

    @property
    def n_clusters(self):
        return len(np.unique(self.labels))

    @property
    def codes_vanish(self):
        """Whether β was so small that writing nothing was the cheapest code."""
        return bool(np.abs(self.representative_codes).max() < 1e-6)


@dataclass(frozen=True)
class Chosen:
    """A selector that has already chosen, and how long that took."""

    indices: np.ndarray
    seconds: float

    def select(self, source, n, rng):
        return self.indices


def choose_by_ds3(noise, seed, n) -> Chosen:
    """DS3 is slow and asks for nothing but the points, so its answer is worth keeping while other settings change."""
    with core.working():
        from leasc_core import DS3Selector

        points, _ = rays(noise, seed)
        start = perf_counter()
        return Chosen(DS3Selector().select(points, n, None), perf_counter() - start)


def run_example(settings: ExampleSettings, chosen: Chosen | None = None) -> ExampleRun:
    """Select, code, learn f, encode, cluster; raises ``LeascError`` where the settings cannot be met.

    The paper's steps and no others: the points stay as they are and are joined by landmarks, so nothing is left to be chosen.
    ``chosen`` saves the selection where it is known.
    """
    with core.working():
        from leasc_core import LeaSC
        from leasc_core.events import StageFinished
        from leasc_core.metrics import score

        points, truth = rays(settings.noise, settings.seed)
        seconds = {}

        def listen(event):
            if isinstance(event, StageFinished):
                seconds[event.stage] = event.seconds

        model = LeaSC(
            n_clusters=_counted(points, settings.seed) if settings.clusters == FIND else settings.clusters,
            variant=settings.variant,
            n_representatives=settings.representatives,
            selector=chosen or settings.selector,
            beta=settings.beta,
            solver=settings.solver,
            hidden=(settings.hidden,),
            tol=TOLERANCE,
            preprocess=None,
            affinity="landmarks",
            random_state=settings.seed,
            on_event=listen,
        ).fit(points)
        if chosen is not None:
            seconds["representatives"] += chosen.seconds
        labels = in_order_of_rows(model.labels_)
        return ExampleRun(
            settings=settings,
            points=points,
            labels=labels,
            representatives=model.representative_indices_,
            representative_codes=model.rpcm_.codes_.astype(np.float32),
            codes=model.transform(points).astype(np.float32),
            network=model.network_,
            scores=score(truth, labels),
            history=model.history_,
            network_history=model.rpcm_.network_history_,
            seconds=seconds,
            gap=model.rpcm_.gap_,
            converged=model.rpcm_.converged_,
            excess=excess_of_paper(model.rpcm_, model.representatives_) if settings.solver == "paper" else None,
        )


def _counted(points, seed):
    """The number of clusters that the whole method finds, as on the Cluster page."""
    from leasc_core import LeaSC

    return LeaSC(random_state=seed).fit(points).n_clusters_


def in_order_of_rows(labels):
    """The same clusters, numbered by the mean row of their points, so that a colour stays with its ray from run to run."""
    names, inverse, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    mean_rows = np.bincount(inverse, weights=np.arange(len(labels))) / sizes
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(mean_rows)] = np.arange(len(names))
    return rank[inverse]


def excess_of_paper(rpcm, representatives):
    """By how much the objective of Algorithm 2's codes lies above that of the certified ones, as a share of it."""
    from sklearn.base import clone

    certified = clone(rpcm).set_params(solver="exact", hidden=(1,), epochs=0, on_event=None).fit(representatives)
    best = objective(certified, representatives)
    return (objective(rpcm, representatives) - best) / best if best > 0 else 0.0


def objective(rpcm, representatives):
    """ᾱR₁(Z) + αR₂(Z) + βR₃(X − XZ) at the codes of a fitted RPCM (Eq. 8 with f fixed)."""
    from leasc_core.coding.problem import DEFAULT_BETA, DEFAULT_NOISE, code_penalty, noise_penalty

    X, Z = representatives.T, rpcm.codes_.T
    codes = code_penalty(rpcm.variant, rpcm.alpha_bar, 1.0 if rpcm.alpha is None else rpcm.alpha)
    noise = noise_penalty(DEFAULT_NOISE[rpcm.variant], DEFAULT_BETA[rpcm.variant] if rpcm.beta is None else rpcm.beta)
    return codes.value(Z) + noise.value(X - X @ Z)
