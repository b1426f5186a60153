"""From the visitor's data, representatives and model to a run on disk that a worker can do, and back from there. No Streamlit."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from leasc_core.errors import DataError, RunError
from leasc_core.storage.files import replacing, writing
from leasc_ui.data.choices import SAMPLES
from leasc_ui.data.pictures import PictureData
from leasc_ui.data.recipes import SAMPLE_FOLDER, load_recipe, quiet
from leasc_ui.results.asked import REQUEST, Request, request_of, whole_parameters
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import ChosenRepresentatives, FoundClusters, RepresentativeSettings, TrainedModel
from leasc_ui.work.names import slug
from leasc_ui.work.runs import new_folder, runs_of, runs_root, status_of

TRAINED, KIND = "trained.leasc", "trained"
# Labels go into the same file as the points where that is small; a large file is written plainly, so that it is read in place.
LARGEST_PACKED = 64 << 20
# A run within both limits is done by the server itself; starting a process takes longer.
SMALL_SECONDS, SMALL_POINTS = 8.0, 20_000


def parameters_of(chosen, model, settings):
    """The same choices as parameters of :class:`leasc_core.LeaSC`, for the run's folder and its report."""
    from leasc_core import LeaSC

    known = LeaSC().get_params(deep=False)
    trained = {name: value for name, value in model.settings.parameters.items() if name in known}
    wanted = {
        **trained,
        "hidden": list(trained["hidden"]),
        "n_representatives": len(chosen.indices),
        "selector": chosen.settings.selector,
        "random_state": settings.seed,
    }
    # The points are cleaned already, and the function was taught on them as they are.
    wanted |= {"affinity": "landmarks", "preprocess": "none"}
    return wanted | ({} if settings.clusters is None else {"n_clusters": settings.clusters}) | settings.graph()


def whole_estimate(data, settings):
    """Seconds, memory and disk that the whole method will take."""
    from leasc_core.runs.run import model_of, need_of

    return need_of(model_of({"parameters": whole_parameters(data, settings)}), data.source)


def whole_request(visitor, data, settings):
    """Write down a run of the whole method on the data; returns its folder and whether it is small."""
    from leasc_core.runs.run import prepare

    folder = new_folder(visitor)
    path, options, cleaning = file_of(data, runs_root() / visitor / "data" / data.fingerprint, whole=True)
    need = prepare(folder, path, whole_parameters(data, settings), options=options, preprocess=cleaning)
    asked = Request(data.name, data.recipe, data.fingerprint, {}, {}, asdict(settings), _label_names(data))
    _write_request(folder, asked)
    return folder, need.seconds - 3.0 <= SMALL_SECONDS and len(data.source) <= SMALL_POINTS


def file_of(data, home, whole=False):
    """``(path, options, cleaning)``: the data as a worker reads them; what has no file is written once into ``home``.

    Pictures are read as their scattering features, but for the ``whole`` method, which prepares them itself.
    """
    cleaning = dict(data.recipe.get("preprocess") or {})
    cleaning.pop("scattering", None)
    if isinstance(data, PictureData) and not whole:
        return _written(data.features, data, home), {}, _worth_doing(cleaning)
    if cleaning.get("missing") == "drop":
        return _written(data.source, data, home), {}, _worth_doing({**cleaning, "missing": "error"})
    kind, cleaning = data.recipe["kind"], _worth_doing(cleaning)
    if kind == "sample":
        return SAMPLE_FOLDER / SAMPLES[data.recipe["name"]].file, {}, cleaning
    if kind == "file":
        return Path(data.recipe["path"]), data.recipe.get("options", {}), cleaning
    return _written(data.source, data, home), {}, cleaning


def estimate(data, chosen, model, settings):
    """Seconds, memory and disk that a run will take."""
    from leasc_core.runs.run import model_of, need_of

    return need_of(model_of({"parameters": parameters_of(chosen, model, settings)}), data.points)


def request(visitor, data, chosen, model, settings):
    """Write a run down; returns its folder and whether it is small. Refusals are the core's own sentences."""
    from leasc_core.runs.run import give_start, prepare
    from leasc_core.stages import Representatives
    from leasc_ui.screens.train.compute import representatives_of

    folder = new_folder(visitor)
    path, options, cleaning = file_of(data, runs_root() / visitor / "data" / data.fingerprint)
    need = prepare(folder, path, parameters_of(chosen, model, settings), options=options, preprocess=cleaning)
    give_start(folder, (Representatives(chosen.indices, representatives_of(data, chosen)), model.rpcm))
    keep_trained(folder, chosen, model)
    _keep_request(folder, data, chosen, model, settings)
    return folder, need.seconds - 3.0 <= SMALL_SECONDS and len(data.points) <= SMALL_POINTS


def same_run(visitor, made_from, settings):
    """A run of this visitor that has been asked just this before and is finished or under way, or None."""
    for folder in runs_of(visitor):
        known = request_of(folder)
        same = known is not None and known.model == made_from and known.settings == settings
        if same and status_of(folder).state in ("finished", "running", "waiting"):
            return folder
    return None


def clusters_of(folder) -> FoundClusters:
    """What came of a finished run, as the pipeline keeps it."""
    from leasc_core.runs.run import result_of

    asked, result = request_of(folder), result_of(folder)
    if asked is None or not result.finished:
        raise RunError("This run is not complete; resume it, or start another.")
    return FoundClusters(asked.model, asked.settings, result.labels, str(folder), result.summary["seconds"])


def restore(pipeline, folder, say=quiet):
    """Bring back the data, the representatives and the model of a run, as on the day it was begun."""
    asked = request_of(folder)
    if asked is None:
        raise RunError("What this run was made from is no longer known; start another.")
    try:
        data = load_recipe(asked.recipe, say)
    except KeyError:
        raise DataError(f"The way to get {asked.name} again is not known; load the data anew.") from None
    chosen, model = trained_of(folder, asked.representatives, asked.train, data) if asked.settings.mine else (None, None)
    if asked.model != (data.fingerprint if model is None else model.fingerprint):
        raise DataError(f"{asked.name} is not what it was when this run was begun; start another.")
    pipeline.set("data", data)
    if model is not None:
        pipeline.set("representatives", chosen)
        pipeline.set("model", model)


def _worth_doing(cleaning):
    return cleaning if any(value not in ("error", False, None) for value in cleaning.values()) else None


def _written(source, data, home):
    """The rows (and labels) of a source in a file of our own."""
    from leasc_core.data.writers import save_data

    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    labels = data.labels if source.shape[0] * source.shape[1] * source.dtype.itemsize <= LARGEST_PACKED else None
    path = home / f"{slug(data.name)}.{'npy' if labels is None else 'npz'}"
    if path.exists():
        return path
    with writing(path):
        if labels is not None:
            save_data(path, source.rows(0, len(source)), labels)
            return path
        with replacing(path) as file:
            header = {"descr": np.lib.format.dtype_to_descr(source.dtype), "fortran_order": False, "shape": source.shape}
            np.lib.format.write_array_header_1_0(file, header)
            for _, block in source.raw_blocks(source.block_rows(None)):
                file.write(np.ascontiguousarray(block, dtype=source.dtype).data)
    return path


def _keep_request(folder, data, chosen, model, settings):
    parts = (asdict(chosen.settings), asdict(model.settings), asdict(settings), _label_names(data))
    _write_request(folder, Request(data.name, data.recipe, model.fingerprint, *parts))


def _label_names(data):
    return None if data.label_names is None else [str(name) for name in data.label_names]


def _write_request(folder, asked):
    path = Path(folder) / REQUEST
    with writing(path), replacing(path) as file:
        file.write(json.dumps(asdict(asked)).encode())


def keep_trained(folder, chosen, model):
    """The fitted RPCM, so that its page can be brought back."""
    from leasc_core.estimators.packing_rpcm import pack_rpcm
    from leasc_core.storage.bundle import write_bundle

    settings, arrays = pack_rpcm(model.rpcm)
    path = Path(folder) / TRAINED
    with writing(path):
        write_bundle(path, KIND, settings | {"seconds": model.seconds}, arrays | {"indices": chosen.indices})


def trained_of(folder, representatives, train, data):
    """The representatives and the model that :func:`keep_trained` wrote; ``representatives`` and ``train`` are their settings."""
    from leasc_core.estimators.packing_rpcm import unpack_rpcm
    from leasc_core.estimators.rpcm import CODING_LIMITS, RPCM
    from leasc_core.storage.bundle import read_bundle

    path = Path(folder) / TRAINED
    settings, arrays = read_bundle(path, KIND)
    rpcm, train = unpack_rpcm(RPCM, CODING_LIMITS, path, settings, arrays), TrainSettings(**train)
    chosen = ChosenRepresentatives(data.fingerprint, RepresentativeSettings(**representatives), arrays["indices"])
    return chosen, replace(TrainedModel(chosen.fingerprint, train, rpcm), seconds=settings["seconds"])
