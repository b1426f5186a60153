"""Start a run, resume it, and what it leaves: labels, model, summary, report."""

import datetime
import os
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import leasc_core

from ..data.preprocessing import Preprocessor
from ..data.sources import open_source
from ..engine.local import BLOCK_ROWS
from ..errors import DataError, ParameterError, RunError
from ..estimators.confidence import SAMPLE as CONFIDENCE_FROM
from ..estimators.front import parts_of
from ..estimators.leasc import LIMITS, LeaSC
from ..estimators.limits import check_parameters
from ..estimators.start import begin
from ..plan.number import ASKED, WIDE
from ..plan.number import TOLD as COUNT_FROM
from ..prepare import Kind, recognise
from ..prepare.candidates import candidates
from ..prepare.choice import SAMPLE as CHOSEN_FROM
from ..prepare.preparation import sample_rows
from ..spectral.landmarks import default_landmarks
from ..stages.cluster import count_landmarks
from ..stages.represent import count_representatives
from ..storage.checkpoint import FolderStore
from ..storage.files import load_own_array, replacing, writing
from . import budget
from .contents import ContentReader, checksum_of, is_unchanged, stamp_of
from .folder import EventLog, RunFolder
from .report.recipe import DEFAULTS, scales

# Rows looked at to tell what kind of data they are, before a run starts.
LOOKED_AT = 300


@dataclass(frozen=True)
class RunResult:
    """``finished`` is False where the run was stopped; then ``labels`` is None and it can be resumed."""

    folder: Path
    finished: bool
    labels: np.ndarray | None
    summary: dict
    confidence: np.ndarray | None = None


def prepare(folder, data, parameters=None, *, options=None, preprocess=None, memory_budget=None):
    """Write down a run: clustering the file ``data`` (with reading ``options``) by ``LeaSC(**parameters)``.

    Nothing is computed but the fingerprint. What cannot fit into ``memory_budget`` (bytes; None takes most of what is free) or
    on the disk is refused here.

    Parameters
    ----------
    preprocess : settings of a :class:`Preprocessor`, as a dictionary, or None

    Returns
    -------
    Need : what the run will take
    """
    parameters = dict(parameters or {})
    path, options = Path(data).absolute(), dict(options or {})
    source = open_source(path, **options)
    model = model_of({"parameters": parameters, "preprocess": preprocess})
    need = need_of(model, source)
    memory_budget = memory_budget or budget.available_memory()
    budget.check(need, memory_budget, folder)
    config = {
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "program": leasc_core.__version__,
        "data": {
            "path": str(path),
            "options": options,
            "shape": list(source.shape),
            "dtype": str(source.dtype),
            "fingerprint": source.fingerprint,
            "stamp": stamp_of(path),
        },
        "parameters": {**DEFAULTS, **parameters},
        "preprocess": preprocess,
        "memory_budget": memory_budget,
        "need": {"seconds": need.seconds, "memory": need.memory, "disk": need.disk},
    }
    RunFolder(folder).create(config)
    return need


def start(folder, data, parameters=None, *, on_event=None, **settings):
    """:func:`prepare` and :func:`resume` in one."""
    prepare(folder, data, parameters, **settings)
    return resume(folder, on_event=on_event)


def resume(folder, *, on_event=None, spread=None):
    """Do what is left of a run; a finished one is only read.

    Parameters
    ----------
    on_event : sees every event; returning True stops the run, which can be resumed later
    spread : turns the source into another of the same rows, such as one on a cluster
    """
    files = RunFolder(folder)
    config = files.config()
    with files.held():
        if files.summary() is not None:
            return result_of(folder)
        return _execute(files, config, on_event, spread)


def result_of(folder):
    """What a run has come to, without computing anything."""
    files = RunFolder(folder)
    summary = files.summary()
    if summary is None:
        return RunResult(files.path, False, None, {})
    labels = _result(files.labels_file, summary)
    if labels is None or labels.ndim != 1 or len(labels) != summary["points"] or labels.dtype.kind not in "iu":
        raise RunError(f"{files.labels_file} does not hold a label for each of {summary['points']:,} points; start a new run.")
    return RunResult(files.path, True, labels, summary, _result(files.confidence_file, summary))


def _result(file, summary):
    """One array that a finished run has left, checked once; None where it left none."""
    if not os.path.lexists(file):
        return None
    try:
        checksum = checksum_of(file)
        known = (summary.get("checksums") or {}).get(file.name, checksum)
        values = load_own_array(file)
    except (OSError, ValueError) as error:
        raise RunError(f"{file} cannot be read ({error}); start a new run.") from None
    if known != checksum:
        raise RunError(f"{file} is damaged: it does not match its checksum; start a new run.")
    return values


def source_of(folder):
    """The rows that a run was made from; :class:`RunError` where they are not what they were."""
    files = RunFolder(folder)
    return _unchanged_source(files.config(), files)


def give_start(folder, start):
    """Begin a prepared run with stages that are done; ``start`` as in :meth:`LeaSC.fit`."""
    files = RunFolder(folder)
    begin(FolderStore(files.checkpoints, _identity(files.config())), start)


def model_of(config):
    """The estimator a configuration asks for."""
    settings = dict(config["parameters"])
    if "hidden" in settings:
        settings["hidden"] = tuple(settings["hidden"])
    if config.get("preprocess"):
        settings["preprocess"] = preprocessing(config["preprocess"], settings.get("preprocess"))
    try:
        model = LeaSC(**settings)
    except TypeError as error:
        raise ParameterError(f"LeaSC does not take that parameter ({error}); see its documentation for the names.") from None
    check_parameters(model, LIMITS)
    return model


def preprocessing(cleaning, name):
    """The parameter ``preprocess`` of ``LeaSC``: filling in alone leaves the preparation open, scaling says it."""
    made, name = Preprocessor(**cleaning), name or ("none" if scales(cleaning) else "auto")
    return made if name == "none" else (made, name)


def need_of(model, source, rate=None, workers=1):
    """Seconds, memory and disk of ``model.fit(source)``; see :func:`~leasc_core.runs.budget.estimate` for the others."""
    n = count_representatives(model, len(source))
    narrow = model.affinity != "codes" and model.code_dim is not None
    sizes = budget.Sizes(
        points=len(source),
        features=source.shape[1],
        representatives=n,
        hidden=model._coding().hidden_used,
        clusters=model.n_clusters,
        landmarks=count_landmarks(model.n_clusters, model.n_landmarks, len(source)),
        neighbours=model.n_neighbors,
        code_width=min(n, model.code_dim) if narrow else n,
        variant=model.variant,
        affinity="codes" if model.affinity == "codes" else "landmarks",
        block_rows=model.block_rows or BLOCK_ROWS,
        item_bytes=source.dtype.itemsize,
        draws=model.n_draws,
    )
    return _with_small_fits(sizes, model, _ways(model, source), rate or budget.product_rate(), workers)


def _ways(model, source):
    """The candidates for preparation and graph, as a few rows look; rows that cannot be looked at count as plain points."""
    try:
        rows = sample_rows(source, LOOKED_AT)
        kind = recognise(rows, model.image_shape or getattr(source, "image_shape", None), getattr(source, "layout", None))
    except DataError:
        kind = Kind("plain", "")
    name = parts_of(model.preprocess)[1] or "none"
    pairs = candidates(kind, len(source), source.shape[1], model.n_clusters or WIDE)
    given = [(one if name == "auto" else name, graph if model.affinity == "auto" else model.affinity) for one, graph in pairs]
    return list(dict.fromkeys(given))


def _with_small_fits(sizes, model, ways, rate, workers):
    """The estimate, with the small fits that confidence takes, and what counting takes where the number is not given."""
    need = budget.estimate(sizes, rate, workers)
    if "auto" in (model.affinity, parts_of(model.preprocess)[1]):
        need = budget.with_choice(need, sizes, CHOSEN_FROM, len(ways), rate)
    if model.n_clusters is None:
        asked = [way for way in ways if way[1] in ASKED or model.affinity != "auto"]
        need = budget.with_counting(need, sizes, COUNT_FROM, len(asked), rate)
    fits = model.confidence_draws
    sample = min(sizes.points, CONFIDENCE_FROM)
    small = replace(sizes, draws=1, points=sample, landmarks=min(sizes.landmarks, default_landmarks(sample)))
    return replace(need, seconds=need.seconds + fits * (budget.estimate(small, rate).seconds - budget.STARTUP)) if fits else need


def _execute(files, config, on_event, spread):
    log = EventLog(files)
    reader = ContentReader(files.contents_file, config["data"])
    try:
        log.say("Resumed" if files.checkpoints.exists() else "Started", process=os.getpid())
        source = _unchanged_source(config, files)
        store = FolderStore(files.checkpoints, _identity(config))
        begun = time.perf_counter()
        model = model_of(config)
        reader.begin()
        model.on_event = lambda event: _both(log, on_event, event)
        model.fit_run(spread(source) if spread else source, store)
        if model.stopped_:
            log.say("Stopped")
            return RunResult(files.path, False, None, {})
        model.labels_ = np.asarray(model.labels_)
        _refuse_changed(config, files)
        summary = _publish(files, model, source, config, time.perf_counter() - begun)
        log.say("Finished", **summary)
    finally:
        reader.stop()
        log.close()
    return result_of(files.path)


def _both(log, on_event, event):
    log(event)
    return on_event is not None and on_event(event) is True


def _publish(files, model, source, config, seconds):
    """Labels, model, report and, last of all, the summary that says the run is finished."""
    from .report.page import write_report

    with writing(files.labels_file), replacing(files.labels_file) as file:
        np.save(file, model.labels_, allow_pickle=False)
    if model.confidence_draws:
        with writing(files.confidence_file), replacing(files.confidence_file) as file:
            np.save(file, model.confidence_, allow_pickle=False)
    with writing(files.model_file):
        model.save(files.model_file)
    made = [file for file in (files.labels_file, files.confidence_file) if file.exists()]
    summary = {
        "points": len(source),
        "features": source.shape[1],
        "n_clusters": int(model.n_clusters_),
        "counted_by": model.counted_by_,
        "verdict": _verdict(model),
        "confidence": float(model.confidence_.mean()) if model.confidence_draws else None,
        "sizes": np.bincount(model.labels_, minlength=model.n_clusters_).tolist(),
        "sign_ignored": model.sign_ignored_,
        "seconds": seconds,
        "passes": model.passes_,
        "scores": _scores(source, model.labels_),
        "checksums": {file.name: checksum_of(file) for file in made},
    }
    with writing(files.report_file):
        write_report(files.report_file, model, source, summary, config, files.events())
    files.finish(summary)
    shutil.rmtree(files.checkpoints, ignore_errors=True)
    return summary


def _verdict(model):
    """What to think of the labels, as plain values; None where a model does not judge them."""
    verdict = getattr(model, "verdict_", None)
    return None if verdict is None else verdict.state()


def _scores(source, labels):
    """ACC, NMI, ARI where the file held labels; they were used for nothing else."""
    if source.labels is None or len(source.labels) != len(labels):
        return None
    from ..metrics import score

    return score(source.labels, np.asarray(labels))


def _identity(config):
    return {"dataset": config["data"]["fingerprint"], "parameters": _settled(config), "program": config["program"]}


def _settled(config):
    return {"parameters": config["parameters"], "preprocess": config["preprocess"], "options": config["data"]["options"]}


def _unchanged_source(config, files):
    data = config["data"]
    if config["program"] != leasc_core.__version__:
        raise RunError(f"The run was begun by version {config['program']} and this is {leasc_core.__version__}; start a new run.")
    if not is_unchanged(data, files.contents_file):
        raise RunError(f"{data['path']} is not what it was when the run began; restore it, or start a new run.")
    return open_source(data["path"], **data["options"])


def _refuse_changed(config, files):
    data = config["data"]
    if not is_unchanged(data, files.contents_file):
        shutil.rmtree(files.checkpoints, ignore_errors=True)
        raise RunError(f"{data['path']} changed while the run was reading it, so its labels mean nothing; start a new run.")
