"""Training as the Train page needs it: an RPCM, small pictures on the way, the time left. No Streamlit in here."""

from dataclasses import dataclass, field

import numpy as np

from leasc_core.coding.variants import VARIANTS
from leasc_core.events import CodeSnapshot, CodingIteration, NetworkEpoch
from leasc_ui.screens.train.settings import TrainSettings

# As in LeaSC: the codes only teach f.
TOLERANCE = 1e-2
PAPER_TOLERANCE = 1e-4
MOST_ITERATIONS = {"exact": 2000, "paper": 1000}
PIXELS = 192
PICTURES = 60
ITERATIONS = 600
# A trend is read from so many of the latest iterations.
TREND, LEAST_TREND = 25, 4


@dataclass(frozen=True, eq=False)
class CodePicture:
    """Codes and errors after an iteration, averaged over blocks: rows are representatives and features, columns are points."""

    iteration: int
    codes: np.ndarray = field(repr=False)
    errors: np.ndarray = field(repr=False)


def picture_of(iteration, codes, errors, order) -> CodePicture:
    """``codes`` (n, n) and ``errors`` (n, d), a point a row, as a picture with points in this order."""
    return CodePicture(iteration, averaged(codes[np.ix_(order, order)].T), averaged(errors[order].T))


def averaged(matrix, most=PIXELS):
    """At most ``most`` rows and columns, each the mean of a block."""
    for side in (0, 1):
        length = matrix.shape[side]
        if length > most:
            edges = np.linspace(0, length, most + 1).astype(int)
            shape = [-1, 1] if side == 0 else [1, -1]
            matrix = np.add.reduceat(matrix, edges[:-1], axis=side) / np.diff(edges).reshape(shape)
    return matrix.astype(np.float16)


def representatives_of(data, chosen):
    """The representatives as LeaSC trains on them: floating, of length one."""
    from leasc_core.selectors.base import read_rows
    from leasc_core.stages.points import directions

    return directions(read_rows(data.points, chosen.indices), 0)


def order_of(data, chosen):
    """The order in which representatives are drawn: label by label where there are labels, else row by row."""
    if data.labels is None:
        return np.arange(len(chosen.indices))
    return np.argsort(np.asarray(data.labels)[chosen.indices], kind="stable")


def train(data, chosen, settings: TrainSettings, report):
    """The fitted RPCM; what it says on the way goes to ``report``, codes as pictures."""
    from leasc_core import RPCM

    order = order_of(data, chosen)

    def listen(event):
        small = isinstance(event, CodeSnapshot)
        report(picture_of(event.iteration, event.codes, event.errors, order) if small else event)

    trivial = VARIANTS[settings.variant].self_code_is_trivial
    rpcm = RPCM(**settings.parameters, zero_diagonal=trivial, tol=TOLERANCE, on_event=listen)
    rpcm.fit(representatives_of(data, chosen))
    rpcm.on_event = None
    report(picture_of(rpcm.n_iter_, rpcm.codes_, rpcm.errors_, order))
    return rpcm


def has_closed_form(settings):
    """Whether the codes come without iterations."""
    return settings.variant == "f2" and settings.solver == "exact"


def seconds_left(timed, solver):
    """About how long the coding will still take, from the trend of what is left to do; None where there is no trend.

    ``timed`` are ``(seconds, CodingIteration)``. On a log scale the gap (or residual) falls along a line, more or less.
    """
    timed = timed[-TREND:]
    if len(timed) < LEAST_TREND:
        return None
    seconds = np.array([second for second, _ in timed])
    values = np.array([event.residual if event.gap is None else event.gap for _, event in timed])
    per_iteration = (seconds[-1] - seconds[0]) / max(1, timed[-1][1].iteration - timed[0][1].iteration)
    longest = per_iteration * (MOST_ITERATIONS[solver] - timed[-1][1].iteration)
    if not (values > 0).all() or not np.isfinite(values).all() or np.ptp(seconds) <= 0:
        return None
    slope, _ = np.polyfit(seconds, np.log(values), 1)
    if slope >= 0:
        return longest
    target = PAPER_TOLERANCE if solver == "paper" else TOLERANCE
    return float(np.clip((np.log(target) - np.log(values[-1])) / slope, 0.0, longest))


@dataclass(frozen=True, eq=False)
class Record:
    """What can be looked at of a run, while it goes on and afterwards."""

    settings: TrainSettings
    iterations: list = field(repr=False)
    epochs: list = field(repr=False)
    pictures: list = field(repr=False)
    seconds: float = 0.0

    def at(self, iteration):
        """The picture kept nearest to an iteration."""
        return min(self.pictures, key=lambda picture: abs(picture.iteration - iteration)) if self.pictures else None


def record_of_job(job, settings) -> Record:
    history = job.history
    return Record(settings, history.of(CodingIteration), history.of(NetworkEpoch), history.of(CodePicture), job.seconds)


def record_of_model(model, order) -> Record:
    """The record of a model that was trained elsewhere, or before this page was opened."""
    rpcm = model.rpcm
    pictures = [event for event in model.events if isinstance(event, CodePicture)]
    pictures = pictures or [picture_of(rpcm.n_iter_, rpcm.codes_, rpcm.errors_, order)]
    return Record(model.settings, list(rpcm.history_), list(rpcm.network_history_), pictures, model.seconds)


def final_numbers(record, rpcm=None):
    """The numbers by which two runs are compared: name → text with its unit."""
    numbers = {}
    if record.iterations:
        last = record.iterations[-1]
        numbers["Iterations"] = f"{last.iteration:,}"
        numbers["Objective"] = f"{last.objective:.5g}"
        numbers["… codes"] = f"{last.codes_term:.5g}"
        numbers["… errors"] = f"{last.noise_term:.5g}"
        numbers["Residual"] = f"{last.residual:.2e}"
    gap = rpcm.gap_ if rpcm is not None else None
    if gap is not None:
        numbers["Duality gap"] = f"{100 * gap:.2g} %"
    if record.epochs:
        best = min(record.epochs, key=lambda epoch: epoch.held_out_error)
        numbers["Error of f, held out"] = f"{100 * best.held_out_error:.1f} %"
        numbers["Epochs"] = f"{record.epochs[-1].epoch}"
    numbers["Time"] = f"{record.seconds:.2f} s"
    return numbers
