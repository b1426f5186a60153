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
from ..estimators.counting import SAMPLE as COUNT_FROM
from ..estimators.landmark import count_landmarks
from ..estimators.leasc import LIMITS, LeaSC
from ..estimators.limits import check_parameters
from ..estimators.packing import pack_network
from ..runs import budget
from ..runs.checkpoint import FolderStore
from ..runs.files import replacing, writing
from ..spectral.landmarks import default_landmarks
from .folder import EventLog, RunFolder
from .report_recipe import DEFAULTS


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
        "data": {"path": str(path), "options": options, "shape": list(source.shape), "dtype": str(source.dtype),
                 "fingerprint": source.fingerprint, "stamp": _stamp(path)},
        "parameters": {**DEFAULTS, **parameters},
        "preprocess": preprocess,
        "memory_budget": memory_budget,
        "need": {"seconds": need.seconds, "memory": need.memory, "disk": need.disk},
    }  # fmt: skip
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
    labels, confidence = (
        np.load(file, mmap_mode="r", allow_pickle=False) if file.exists() else None
        for file in (files.labels_file, files.confidence_file)
    )
    return RunResult(files.path, True, labels, summary, confidence)


def give_trained(folder, indices, points, sign_ignored, rpcm):
    """Begin a prepared run with representatives and a function that were trained before."""
    files = RunFolder(folder)
    store = FolderStore(files.checkpoints, _identity(files.config()))
    store.put("representatives", {"sign_ignored": bool(sign_ignored)}, {"indices": np.asarray(indices), "points": points})
    store.put("network", *pack_network(rpcm))


def model_of(config):
    """The estimator a configuration asks for."""
    settings = dict(config["parameters"])
    if "hidden" in settings:
        settings["hidden"] = tuple(settings["hidden"])
    if config.get("preprocess"):
        settings["preprocess"] = Preprocessor(**config["preprocess"])
    try:
        model = LeaSC(**settings)
    except TypeError as error:
        raise ParameterError(f"LeaSC does not take that parameter ({error}); see its documentation for the names.") from None
    check_parameters(model, LIMITS)
    return model


def need_of(model, source):
    """Seconds, memory and disk of ``model.fit(source)``."""
    n = model._count_representatives(len(source))
    narrow = model.affinity == "landmarks" and model.code_dim is not None
    sizes = budget.Sizes(
        points=len(source),
        features=source.shape[1],
        representatives=n,
        hidden=tuple(model.hidden),
        clusters=model.n_clusters,
        landmarks=count_landmarks(model, len(source)),
        neighbours=model.n_neighbors,
        code_width=min(n, model.code_dim) if narrow else n,
        variant=model.variant,
        affinity=model.affinity,
        block_rows=model.block_rows or BLOCK_ROWS,
        item_bytes=source.dtype.itemsize,
        draws=model.n_draws,
    )
    return _with_small_fits(sizes, model, budget.product_rate())


def _with_small_fits(sizes, model, rate):
    """The estimate, with the small fits that confidence takes, and what counting takes where the number is not given."""
    need = budget.estimate(sizes, rate)
    if model.n_clusters is None:
        need = budget.with_counting(need, sizes, COUNT_FROM, rate)
    fits = model.confidence_draws
    sample = min(sizes.points, CONFIDENCE_FROM)
    small = replace(sizes, draws=1, points=sample, landmarks=min(sizes.landmarks, default_landmarks(sample)))
    return replace(need, seconds=need.seconds + fits * (budget.estimate(small, rate).seconds - budget.STARTUP)) if fits else need


def _execute(files, config, on_event, spread):
    log = EventLog(files)
    try:
        log.say("Resumed" if files.checkpoints.exists() else "Started", process=os.getpid())
        source = _unchanged_source(config)
        store = FolderStore(files.checkpoints, _identity(config))
        begun = time.perf_counter()
        model = model_of(config)
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
        log.close()
    return result_of(files.path)


def _both(log, on_event, event):
    log(event)
    return on_event is not None and on_event(event) is True


def _publish(files, model, source, config, seconds):
    """Labels, model, report and, last of all, the summary that says the run is finished."""
    from .report import write_report

    with writing(files.labels_file), replacing(files.labels_file) as file:
        np.save(file, model.labels_, allow_pickle=False)
    if model.confidence_draws:
        with writing(files.confidence_file), replacing(files.confidence_file) as file:
            np.save(file, model.confidence_, allow_pickle=False)
    with writing(files.model_file):
        model.save(files.model_file)
    summary = {
        "points": len(source),
        "features": source.shape[1],
        "n_clusters": int(model.n_clusters_),
        "counted_by": model.counted_by_,
        "confidence": float(model.confidence_.mean()) if model.confidence_draws else None,
        "sizes": np.bincount(model.labels_, minlength=model.n_clusters_).tolist(),
        "sign_ignored": model.sign_ignored_,
        "seconds": seconds,
        "passes": model.passes_,
        "scores": _scores(source, model.labels_),
    }
    with writing(files.report_file):
        write_report(files.report_file, model, source, summary, config, files.events())
    files.finish(summary)
    shutil.rmtree(files.checkpoints, ignore_errors=True)
    return summary


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


def _unchanged_source(config):
    data = config["data"]
    if config["program"] != leasc_core.__version__:
        raise RunError(f"The run was begun by version {config['program']} and this is {leasc_core.__version__}; start a new run.")
    if not _is_unchanged(data):
        raise RunError(f"{data['path']} is not what it was when the run began; restore it, or start a new run.")
    return open_source(data["path"], **data["options"])


def _refuse_changed(config, files):
    data = config["data"]
    if not _is_unchanged(data):
        shutil.rmtree(files.checkpoints, ignore_errors=True)
        raise RunError(f"{data['path']} changed while the run was reading it, so its labels mean nothing; start a new run.")


def _is_unchanged(data):
    """Whether the file is still the one the run was made for: same size and time, or at least the same numbers."""
    try:
        if _stamp(data["path"]) == data["stamp"]:
            return True
        return open_source(data["path"], **data["options"]).fingerprint == data["fingerprint"]
    except (OSError, DataError):
        return False


def _stamp(path):
    """Size and time of a file, or of all files in a folder."""
    path = Path(path)
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return [[f.stat().st_size, f.stat().st_mtime_ns] for f in files]
