"""A fitted LeaSC as plain settings and named arrays, and back."""

import dataclasses

import numpy as np

from ..data.preprocessing import Preprocessor
from ..encoder.mlp import MLP
from ..errors import BundleError, LeascError
from ..selectors import get_selector
from ..spectral.codes import CodeGraph
from ..spectral.embedding import SpectralMap
from ..spectral.landmarks import LandmarkGraph
from ..spectral.model import SpectralModel
from .confidence import Calibration
from .ensemble import JointGraph, Together
from .limits import check_parameters

PREPROCESS = "preprocess."


def pack(model):
    """``(settings, arrays)`` of a fitted LeaSC; everything that ``predict`` and ``transform`` need."""
    parameters = {name: value for name, value in model.get_params(deep=False).items() if name not in ("on_event", "preprocess")}
    parameters["hidden"] = list(model.hidden)
    parameters["selector"] = _selector_settings(model.selector)
    if not isinstance(model.random_state, (int, np.integer)):
        parameters["random_state"] = None
    parameters = {name: v.item() if isinstance(v, np.generic) else v for name, v in parameters.items()}
    spectral, graphs = model.model_, getattr(model.model_.graph, "graphs", (model.model_.graph,))
    encoders = getattr(model.encoder_, "networks", (model.encoder_,))
    settings = {
        "parameters": parameters,
        "n_features": int(model.n_features_in_),
        "n_clusters": int(model.n_clusters_),
        "sign_ignored": bool(model.sign_ignored_),
        "neighbours": [int(getattr(graph, "neighbours", 0)) for graph in graphs],
        "layers": len(model.network_.weights),
        "narrowed": len(encoders[0].weights[-1][0]) < len(model.representatives_),
    }
    arrays = {
        "representatives": model.representatives_,
        "representative_indices": model.representative_indices_,
        "labels": model.labels_,
        "spectral_directions": spectral.map.directions,
        "eigenvalues": spectral.map.eigenvalues,
        "centres": spectral.centres,
    }
    arrays |= {f"network.{i}": W for i, W in enumerate(model.network_.weights)}
    if isinstance(graphs[0], LandmarkGraph):
        arrays["landmarks"] = graphs[0].landmarks
        arrays |= {f"draw{r}.landmarks": graph.landmarks for r, graph in enumerate(graphs) if r}
    arrays |= {f"draw{r}.layer.{i}": W for r, encoder in enumerate(encoders) if r for i, W in enumerate(encoder.weights)}
    if settings["narrowed"]:
        arrays["code_directions"] = model.directions_
    if hasattr(model, "calibration_"):
        arrays |= {"confidence": model.confidence_, "confidence_margins": model.calibration_.margins}
        arrays["confidence_agreement"] = model.calibration_.agreement
    if model.preprocess_ is not None:
        settings["preprocess"], recorded = model.preprocess_.state()
        arrays |= {PREPROCESS + name: A for name, A in recorded.items()}
    return settings, arrays


def pack_network(rpcm):
    """The part of a fitted RPCM that clustering needs, as settings and arrays."""
    layers = {f"layer.{i}": W for i, W in enumerate(rpcm.network_.weights)}
    return {"activation": rpcm.network_.activation, "n_iter": int(rpcm.n_iter_)}, layers


def unpack(cls, path, settings, arrays):
    """A LeaSC that predicts as the packed one did; a :class:`BundleError` where the parts do not fit together."""
    try:
        return _rebuild(cls, settings, arrays)
    except BundleError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, LeascError) as error:
        raise BundleError(f"{path} does not hold a complete LeaSC model ({error}); save it again.") from None


def _rebuild(cls, settings, arrays):
    from .leasc import LIMITS

    parameters = dict(settings["parameters"])
    parameters["hidden"] = tuple(parameters["hidden"])
    parameters["selector"] = _selector_from(parameters["selector"])
    model = cls(**parameters)
    check_parameters(model, LIMITS)
    model.preprocess_ = None
    width = settings["n_features"]
    if "preprocess" in settings:
        recorded = {name.removeprefix(PREPROCESS): A for name, A in arrays.items() if name.startswith(PREPROCESS)}
        model.preprocess_ = model.preprocess = Preprocessor.from_state(settings["preprocess"], recorded)
        _require(model.preprocess_.n_features_in_ == width, "the preprocessing does not fit the features")
        width = model.preprocess_.n_features_out_
    weights = tuple(arrays[f"network.{i}"] for i in range(settings["layers"]))
    _check_chain([width, *[W.shape for W in weights]], len(arrays["representatives"]))
    model.network_ = model.encoder_ = MLP(weights, model.activation)
    if settings["narrowed"]:
        model.directions_ = arrays["code_directions"]
        model.encoder_ = model.network_.project(model.directions_)
    model.encoder_ = dataclasses.replace(model.encoder_, precision=model.precision)
    encoders = (model.encoder_, *(_drawn(model, arrays, draw, settings["layers"], width) for draw in range(1, model.n_draws)))
    model.encoder_ = encoders[0] if len(encoders) == 1 else Together(encoders)
    if model.affinity == "landmarks":
        names = ["landmarks", *(f"draw{draw}.landmarks" for draw in range(1, model.n_draws))]
        graphs = tuple(LandmarkGraph(arrays[name], neighbours, settings["sign_ignored"])
                       for name, neighbours in zip(names, _neighbours(settings, names), strict=True))  # fmt: skip
        for each, encoder in zip(graphs, encoders, strict=True):
            _require(each.landmarks.shape[1] == encoder.weights[-1].shape[1], "landmarks do not fit the codes")
            _require(1 <= each.neighbours <= len(each.landmarks), "neighbours do not fit the landmarks")
        graph, columns = graphs[0] if len(graphs) == 1 else JointGraph(graphs), sum(len(each.landmarks) for each in graphs)
    else:
        graph, columns = CodeGraph(), sum(encoder.weights[-1].shape[1] for encoder in encoders)
    spectral = SpectralMap(arrays["spectral_directions"], arrays["eigenvalues"])
    _require(spectral.directions.shape[0] == columns, "the spectral map does not fit the affinity")
    _require(arrays["centres"].shape == (settings["n_clusters"], spectral.directions.shape[1]), "centres do not fit")
    _require(all(np.isfinite(A).all() for A in arrays.values()), "an array holds values that are not finite")
    model.model_ = SpectralModel(graph, spectral, arrays["centres"])
    model.representatives_ = arrays["representatives"]
    model.representative_indices_, model.labels_ = arrays["representative_indices"], arrays["labels"]
    model.eigenvalues_, model.sign_ignored_ = spectral.eigenvalues, settings["sign_ignored"]
    model.n_features_in_, model.n_clusters_ = settings["n_features"], settings["n_clusters"]
    model._n_features_out, model.history_, model.stopped_ = weights[-1].shape[1], [], False
    if "confidence" in arrays:
        _require(len(arrays["confidence_margins"]) == len(arrays["confidence_agreement"]) > 0, "the calibration is not a map")
        model.confidence_ = arrays["confidence"]
        model.calibration_ = Calibration(arrays["confidence_margins"], arrays["confidence_agreement"])
    return model


def _drawn(model, arrays, draw, layers, width):
    """The encoder of another draw than the first."""
    weights = tuple(arrays[f"draw{draw}.layer.{i}"] for i in range(layers))
    _check_chain([width, *[W.shape for W in weights]], weights[-1].shape[1])
    return MLP(weights, model.activation, model.precision)


def _neighbours(settings, names):
    """Of each draw; bundles of before had one number for all."""
    kept = settings["neighbours"] if isinstance(settings["neighbours"], list) else [settings["neighbours"]] * len(names)
    _require(len(kept) == len(names) and all(type(each) is int for each in kept), "neighbours are not one number a draw")
    return kept


def _check_chain(shapes, n_representatives):
    width = shapes[0]
    for rows, columns in shapes[1:]:
        _require(rows == width, "the layers of the network do not fit together")
        width = columns
    _require(width == n_representatives, "the network does not give one code a representative")


def _require(condition, what):
    if not condition:
        raise BundleError(f"The model file is inconsistent: {what}; save the model again.")


def _selector_settings(selector):
    """A selector as a name, or as a name with its fields."""
    if isinstance(selector, str):
        return selector
    if not dataclasses.is_dataclass(selector):
        return "random"
    return {"class": type(selector).__name__, "fields": dataclasses.asdict(selector)}


def _selector_from(settings):
    if isinstance(settings, str):
        return settings
    for name in ("random", "kmeans", "ds3"):
        known = type(get_selector(name))
        if known.__name__ == settings["class"]:
            return known(**settings["fields"])
    raise BundleError(f"The model was fitted with a selector {settings['class']!r} unknown here; name one that is known.")
