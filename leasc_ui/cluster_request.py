"""From the visitor's data, representatives and model to a run on disk that a worker can do, and back from there. No Streamlit."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from leasc_core.errors import DataError, RunError
from leasc_core.runs.files import replacing, writing
from leasc_ui.data_choices import SAMPLES
from leasc_ui.data_pictures import PictureData
from leasc_ui.data_recipes import SAMPLE_FOLDER, load_recipe, quiet
from leasc_ui.full_runs import new_folder, runs_of, runs_root, status_of
from leasc_ui.names import slug
from leasc_ui.pipeline import ChosenRepresentatives, FoundClusters, RepresentativeSettings, TrainedModel, TrainSettings

REQUEST, TRAINED, KIND = "request.json", "trained.leasc", "trained"
# Labels go into the same file as the points where that is small; a large file is written plainly, so that it is read in place.
LARGEST_PACKED = 64 << 20
# A run within both limits is done by the server itself; starting a process takes longer.
SMALL_SECONDS, SMALL_POINTS = 4.0, 20_000


@dataclass(frozen=True)
class ClusterSettings:
    """``clusters=None`` finds the number; ``landmarks=None`` takes the usual number; ``draws`` are clustered as one."""

    clusters: int | None = None
    seed: int = 0
    affinity: str = "landmarks"
    landmarks: int | None = None
    draws: int = 1

    def graph(self):
        """What differs from the usual in how codes are joined, as parameters of :class:`leasc_core.LeaSC`."""
        wanted = {"affinity": self.affinity, "n_landmarks": self.landmarks, "n_draws": self.draws}
        return {name: value for name, value in wanted.items() if value not in (None, "landmarks", 1)}


@dataclass(frozen=True)
class Request:
    """What a run's folder remembers of how it came about; plain JSON."""

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


def parameters_of(chosen, model, settings):
    """The same choices as parameters of :class:`leasc_core.LeaSC`, for the run's folder and its report."""
    train = model.settings
    wanted = {
        "n_clusters": settings.clusters, "variant": train.variant, "n_representatives": len(chosen.indices),
        "selector": chosen.settings.selector, "beta": train.beta, "alpha": train.alpha, "alpha_bar": train.alpha_bar,
        "solver": train.solver, "train": train.train, "hidden": [train.hidden], "activation": train.activation,
        "epochs": train.epochs, "random_state": settings.seed,
    }  # fmt: skip
    return {name: value for name, value in wanted.items() if value is not None} | settings.graph()


def file_of(data, home):
    """``(path, options, cleaning)``: the data as a worker reads them; what has no file is written once into ``home``."""
    cleaning = dict(data.recipe.get("preprocess") or {})
    if isinstance(data, PictureData):
        cleaning.pop("scattering", None)
        return _written(data.features, data, home), {}, _worth_doing(cleaning)
    if cleaning.get("missing") == "drop":
        return _written(data.source, data, home), {}, _worth_doing({**cleaning, "missing": "error"})
    if data.recipe["kind"] == "sample":
        return SAMPLE_FOLDER / SAMPLES[data.recipe["name"]].file, {}, cleaning or None
    if data.recipe["kind"] == "file":
        return Path(data.recipe["path"]), data.recipe.get("options", {}), cleaning or None
    return _written(data.source, data, home), {}, cleaning or None


def estimate(data, chosen, model, settings):
    """Seconds, memory and disk that a run will take."""
    from leasc_core.runner.run import model_of, need_of

    return need_of(model_of({"parameters": parameters_of(chosen, model, settings)}), data.points)


def request(visitor, data, chosen, model, settings):
    """Write a run down; returns its folder and whether it is small. Refusals are the core's own sentences."""
    from leasc_core.estimators.landmark import decide_sign
    from leasc_core.estimators.seeds import Seeds
    from leasc_core.runner.run import give_trained, prepare
    from leasc_ui.train_work import representatives_of

    folder = new_folder(visitor)
    path, options, cleaning = file_of(data, runs_root() / visitor / "data" / data.fingerprint)
    need = prepare(folder, path, parameters_of(chosen, model, settings), options=options, preprocess=cleaning)
    points = representatives_of(data, chosen)
    give_trained(folder, chosen.indices, points, decide_sign("auto", points, Seeds(settings.seed)("sign")), model.rpcm)
    _keep_trained(folder, chosen, model)
    _keep_request(folder, data, chosen, model, settings)
    return folder, need.seconds - 3.0 <= SMALL_SECONDS and len(data.points) <= SMALL_POINTS


def same_run(visitor, model, settings):
    """A run of this visitor that has been asked just this before and is finished or under way, or None."""
    for folder in runs_of(visitor):
        known = request_of(folder)
        same = known is not None and known.model == model.fingerprint and known.settings == settings
        if same and status_of(folder).state in ("finished", "running", "waiting"):
            return folder
    return None


def request_of(folder) -> Request | None:
    """What a run was asked; None where that is not known."""
    try:
        return Request(**json.loads((Path(folder) / REQUEST).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def clusters_of(folder) -> FoundClusters:
    """What came of a finished run, as the pipeline keeps it."""
    from leasc_core.runner.run import result_of

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
    chosen, model = _trained(folder, asked, data)
    if model.fingerprint != asked.model:
        raise DataError(f"{asked.name} is not what it was when this run was begun; start another.")
    pipeline.data, pipeline.representatives, pipeline.model = data, chosen, model


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
    names = None if data.label_names is None else [str(name) for name in data.label_names]
    asked = Request(data.name, data.recipe, model.fingerprint, asdict(chosen.settings), asdict(model.settings), asdict(settings),
                    names)  # fmt: skip
    path = Path(folder) / REQUEST
    with writing(path), replacing(path) as file:
        file.write(json.dumps(asdict(asked)).encode())


def _keep_trained(folder, chosen, model):
    """All of a fitted RPCM that a page looks at, so that it can be brought back."""
    from leasc_core.estimators.packing import pack_network
    from leasc_core.runs.bundle import write_bundle

    rpcm = model.rpcm
    settings, arrays = pack_network(rpcm)
    settings |= {"gap": rpcm.gap_, "converged": bool(rpcm.converged_), "seconds": model.seconds}
    settings |= {name: [_plain(event) for event in getattr(rpcm, name)] for name in ("history_", "network_history_")}
    path = Path(folder) / TRAINED
    with writing(path):
        write_bundle(path, KIND, settings, {**arrays, "indices": chosen.indices, "codes": rpcm.codes_, "errors": rpcm.errors_})


def _plain(event):
    return {name: value if value is None or isinstance(value, int) else float(value) for name, value in asdict(event).items()}


def _trained(folder, asked, data):
    from leasc_core import RPCM
    from leasc_core.encoder.mlp import MLP
    from leasc_core.runs.bundle import read_bundle
    from leasc_core.runs.events import CodingIteration, NetworkEpoch

    settings, arrays = read_bundle(Path(folder) / TRAINED, KIND)
    layers = sum(name.startswith("layer.") for name in arrays)
    train = TrainSettings(**asked.train)
    rpcm = RPCM(variant=train.variant, solver=train.solver, hidden=(train.hidden,), activation=train.activation)
    rpcm.network_ = MLP(tuple(arrays[f"layer.{i}"] for i in range(layers)), settings["activation"])
    rpcm.codes_, rpcm.errors_, rpcm.gap_ = arrays["codes"], arrays["errors"], settings["gap"]
    rpcm.n_iter_, rpcm.converged_, rpcm.stopped_ = settings["n_iter"], settings["converged"], False
    rpcm.history_ = [CodingIteration(**event) for event in settings["history_"]]
    rpcm.network_history_ = [NetworkEpoch(**event) for event in settings["network_history_"]]
    rpcm.n_features_in_, rpcm._n_features_out = arrays["errors"].shape[1], len(arrays["codes"])
    chosen = ChosenRepresentatives(data.fingerprint, RepresentativeSettings(**asked.representatives), arrays["indices"])
    return chosen, replace(TrainedModel(chosen.fingerprint, train, rpcm), seconds=settings["seconds"])
