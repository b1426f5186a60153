"""A fitted LeaSC as plain settings and named arrays, and back."""

import dataclasses
import json

import numpy as np

from ..data.columns.info import from_plain
from ..data.columns.info import plain as plain_columns
from ..encoder.mlp import MLP
from ..errors import BundleError, LeascError
from ..plan import Counts
from ..prepare import Choice as Chosen
from ..prepare import recorded_from
from ..selectors import SELECTORS
from ..spectral.codes import CodeGraph
from ..spectral.embedding import SpectralMap
from ..spectral.kept import KEPT_GRAPHS, pack_kept, unpack_kept
from ..spectral.landmarks import LandmarkGraph
from ..spectral.model import SpectralModel
from ..stages.ensemble import JointGraph, Together
from ..stages.keep import Unchanged
from .confidence import Calibration
from .front import parts_of
from .limits import check_parameters
from .packing_checks import check_chain, plain, require, whole_or_none

# How many axes these arrays have, where a model holds them.
AXES = {"representatives": 2, "labels": 1, "landmarks": 2, "code_directions": 2, "spectral_directions": 2, "centres": 2}
AXES |= {"eigenvalues": 1, "confidence": 1, "confidence_margins": 1, "confidence_agreement": 1, "representative_indices": 1}
PREPROCESS = "preprocess."
KEPT = "kept."


def pack(model):
    """``(settings, arrays)`` of a fitted LeaSC; everything that ``predict`` and ``transform`` need."""
    parameters = {name: value for name, value in model.get_params(deep=False).items() if name not in ("on_event", "preprocess")}
    parameters["hidden"] = None if model.hidden is None else list(model.hidden)
    parameters["selector"] = _selector_settings(model.selector)
    parameters["random_state"] = whole_or_none(model.random_state)
    parameters = plain(parameters)
    parameters["preprocess"] = parts_of(model.preprocess)[1]
    settings = {
        "parameters": parameters,
        "n_features": int(model.n_features_in_),
        "n_clusters": int(model.n_clusters_),
        "sign_ignored": bool(model.sign_ignored_),
        "graph": model.affinity_,
        "choice": None if model.choice_ is None else model.choice_.state(),
        "counts": None if getattr(model, "counts_", None) is None else model.counts_.state(),
        "layers": len(model.network_.weights),
        "activation": model.network_.activation,
    }
    arrays = {
        "representatives": model.representatives_,
        "representative_indices": model.representative_indices_,
        "labels": model.labels_,
    }
    arrays |= {f"network.{i}": W for i, W in enumerate(model.network_.weights)}
    more, own = _pack_kept(model) if model.affinity_ in KEPT_GRAPHS else _pack_joined(model)
    settings, arrays = settings | more, arrays | own
    if hasattr(model, "calibration_"):
        arrays |= {"confidence": model.confidence_, "confidence_margins": model.calibration_.margins}
        arrays["confidence_agreement"] = model.calibration_.agreement
    names = [str(name) for name in getattr(model, "feature_names_in_", ())]
    if names:
        known = {"names": names, "columns": plain_columns(getattr(model, "columns_", ()))}
        arrays["columns"] = np.frombuffer(json.dumps(known).encode(), np.uint8)
    if model.preprocess_ is not None:
        settings["preprocess"], recorded = model.preprocess_.state()
        arrays |= {PREPROCESS + name: A for name, A in recorded.items()}
    return settings, arrays


def _pack_kept(model):
    settings, arrays = pack_kept(model.model_)
    return {"kept": settings, "narrowed": False}, {KEPT + name: A for name, A in arrays.items()}


def _pack_joined(model):
    """Landmarks or codes, of one draw or several."""
    spectral, graphs = model.model_, getattr(model.model_.graph, "graphs", (model.model_.graph,))
    encoders = getattr(model.encoder_, "networks", (model.encoder_,))
    settings = {
        "neighbours": [int(getattr(graph, "neighbours", 0)) for graph in graphs],
        "narrowed": len(encoders[0].weights[-1][0]) < len(model.representatives_),
    }
    arrays = {
        "spectral_directions": spectral.map.directions,
        "eigenvalues": spectral.map.eigenvalues,
        "centres": spectral.centres,
    }
    if isinstance(graphs[0], LandmarkGraph):
        arrays["landmarks"] = graphs[0].landmarks
        arrays |= {f"draw{r}.landmarks": graph.landmarks for r, graph in enumerate(graphs) if r}
        arrays |= {f"draw{r}.bounds": graph.bounds for r, graph in enumerate(graphs) if graph.bounds is not None}
    arrays |= {f"draw{r}.layer.{i}": W for r, encoder in enumerate(encoders) if r for i, W in enumerate(encoder.weights)}
    if settings["narrowed"]:
        arrays["code_directions"] = model.directions_
    return settings, arrays


def unpack(cls, limits, path, settings, arrays):
    """A LeaSC that predicts as the packed one did; a :class:`BundleError` where the parts do not fit together."""
    try:
        return _rebuild(cls, limits, settings, arrays)
    except BundleError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, LeascError) as error:
        raise BundleError(f"{path} does not hold a complete LeaSC model ({error}); save it again.") from None


def _rebuild(cls, limits, settings, arrays):
    parameters = dict(settings["parameters"])
    parameters["hidden"] = None if parameters["hidden"] is None else tuple(parameters["hidden"])
    parameters["selector"] = _selector_from(parameters["selector"])
    parameters["image_shape"] = None if parameters.get("image_shape") is None else tuple(parameters["image_shape"])
    model = cls(**parameters)
    check_parameters(model, limits)
    model.preprocess_, width = _unpack_preprocessing(settings, arrays)
    cleaning = getattr(model.preprocess_, "cleaning", None if model.preparation_ else model.preprocess_)
    name = settings["parameters"].get("preprocess")
    model.preprocess = name if cleaning is None else cleaning if name is None else (cleaning, name)
    model.choice_ = None if settings.get("choice") is None else Chosen.from_state(settings["choice"])
    model.counts_ = None if settings.get("counts") is None else Counts.from_state(settings["counts"])
    model.affinity_ = settings.get("graph", model.affinity)
    require(model.affinity_ in ("landmarks", "codes", *KEPT_GRAPHS), f"its graph {model.affinity_!r} is unknown here")
    require(type(settings["layers"]) is int and settings["layers"] >= 1, "a network has at least one layer")
    weights = tuple(arrays[f"network.{i}"] for i in range(settings["layers"]))
    require(all(A.ndim == AXES[name] for name, A in arrays.items() if name in AXES), "an array has too many or too few axes")
    labels = arrays["labels"]
    require(labels.dtype.kind in "iu" and labels.size and labels.min() >= 0, "its labels are not numbers of clusters")
    require(labels.max() < settings["n_clusters"], "its labels name more clusters than it has")
    check_chain([width, *[W.shape for W in weights]], len(arrays["representatives"]))
    model.network_ = model.encoder_ = MLP(weights, settings.get("activation", model.activation))
    require(all(np.isfinite(A).all() for A in arrays.values()), "an array holds values that are not finite")
    (_unpack_kept if model.affinity_ in KEPT_GRAPHS else _unpack_joined)(model, settings, arrays, width)
    model.representatives_ = arrays["representatives"]
    model.representative_indices_, model.labels_ = arrays["representative_indices"], arrays["labels"]
    model.eigenvalues_ = getattr(model.model_, "map", model.model_).eigenvalues
    model.sign_ignored_ = settings["sign_ignored"]
    model.n_features_in_, model.n_clusters_ = settings["n_features"], settings["n_clusters"]
    model._n_features_out, model.history_, model.stopped_ = weights[-1].shape[1], [], False
    if "columns" in arrays:
        known = json.loads(arrays["columns"].tobytes())
        require(len(known["names"]) == model.n_features_in_, "the names do not fit the features")
        model.feature_names_in_ = np.array([str(name) for name in known["names"]], dtype=object)
        model.columns_ = from_plain(known["columns"])
    if "confidence" in arrays:
        require(len(arrays["confidence_margins"]) == len(arrays["confidence_agreement"]) > 0, "the calibration is not a map")
        sure, agreement = arrays["confidence"], arrays["confidence_agreement"]
        require(sure.shape == labels.shape, "there is not one confidence a label")
        require(all(A.min() >= 0 and A.max() <= 1 for A in (sure, agreement)), "a confidence is not a share between 0 and 1")
        model.confidence_ = arrays["confidence"]
        model.calibration_ = Calibration(arrays["confidence_margins"], arrays["confidence_agreement"])
    return model


def _unpack_preprocessing(settings, arrays):
    """What is done to raw rows (None is nothing), and how many features come out."""
    if "preprocess" not in settings:
        return None, settings["n_features"]
    recorded = {name.removeprefix(PREPROCESS): A for name, A in arrays.items() if name.startswith(PREPROCESS)}
    made = recorded_from(settings["preprocess"], recorded)
    require(made.n_features_in_ == settings["n_features"], "the preprocessing does not fit the features")
    return made, made.n_features_out_


def _unpack_kept(model, settings, arrays, width):
    own = {name.removeprefix(KEPT): A for name, A in arrays.items() if name.startswith(KEPT)}
    model.model_, model.encoder_, model.directions_ = unpack_kept(model.affinity_, settings["kept"], own), Unchanged(), None
    kept = model.model_.kept
    require(
        kept.shape[1:] == (width,) and len(kept) <= len(arrays["labels"]), "the kept points do not fit the features or the labels"
    )
    require(len(model.model_.centres) == settings["n_clusters"], "centres do not fit the clusters")


def _unpack_joined(model, settings, arrays, width):
    if settings["narrowed"]:
        model.directions_ = arrays["code_directions"]
        model.encoder_ = model.network_.project(model.directions_)
    model.encoder_ = dataclasses.replace(model.encoder_, precision=model.precision)
    encoders = (model.encoder_, *(_drawn(model, arrays, draw, settings["layers"], width) for draw in range(1, model.n_draws)))
    model.encoder_ = encoders[0] if len(encoders) == 1 else Together(encoders)
    if model.affinity_ == "landmarks":
        names = ["landmarks", *(f"draw{draw}.landmarks" for draw in range(1, model.n_draws))]
        graphs = tuple(
            LandmarkGraph(arrays[name], neighbours, settings["sign_ignored"], _bounds(arrays, draw, len(arrays[name])))
            for draw, (name, neighbours) in enumerate(zip(names, _neighbours(settings, names), strict=True))
        )
        for each, encoder in zip(graphs, encoders, strict=True):
            require(each.landmarks.shape[1] == encoder.weights[-1].shape[1], "landmarks do not fit the codes")
            require(1 <= each.neighbours <= len(each.landmarks), "neighbours do not fit the landmarks")
        graph, columns = graphs[0] if len(graphs) == 1 else JointGraph(graphs), sum(len(each.landmarks) for each in graphs)
    else:
        graph, columns = CodeGraph(), sum(encoder.weights[-1].shape[1] for encoder in encoders)
    spectral = SpectralMap(arrays["spectral_directions"], arrays["eigenvalues"])
    require(spectral.directions.shape[0] == columns, "the spectral map does not fit the affinity")
    require(arrays["centres"].shape == (settings["n_clusters"], spectral.directions.shape[1]), "centres do not fit")
    model.model_ = SpectralModel(graph, spectral, arrays["centres"])


def _drawn(model, arrays, draw, layers, width):
    """The encoder of another draw than the first."""
    weights = tuple(arrays[f"draw{draw}.layer.{i}"] for i in range(layers))
    check_chain([width, *[W.shape for W in weights]], weights[-1].shape[1])
    return MLP(weights, model.activation, model.precision)


def _bounds(arrays, draw, landmarks):
    """Where the cells of a draw's landmarks begin and end; None where they have no cells."""
    bounds = arrays.get(f"draw{draw}.bounds")
    if bounds is not None:
        sound = bounds.ndim == 1 and bounds.dtype.kind in "iu" and len(bounds) > 1 and (np.diff(bounds) > 0).all()
        require(sound and bounds[0] == 0 and bounds[-1] == landmarks, "cells do not fit the landmarks")
    return bounds


def _neighbours(settings, names):
    """Of each draw; bundles of before had one number for all."""
    kept = settings["neighbours"] if isinstance(settings["neighbours"], list) else [settings["neighbours"]] * len(names)
    require(len(kept) == len(names) and all(type(each) is int for each in kept), "neighbours are not one number a draw")
    return kept


def _selector_settings(selector):
    """A selector as a name, or as a name with its fields; one that is not found here could not be brought back and is refused."""
    if isinstance(selector, str):
        return selector
    if type(selector) not in SELECTORS.values():
        raise BundleError(
            f"A model with the selector {type(selector).__name__} of your own cannot be saved, since it could not be "
            "loaded where that class is missing; set model.selector to one of "
            + ", ".join(map(repr, SELECTORS))
            + " before saving (labels stay)."
        )
    return {"class": type(selector).__name__, "fields": dataclasses.asdict(selector)}


def _selector_from(settings):
    if isinstance(settings, str):
        return settings
    for known in SELECTORS.values():
        if known.__name__ == settings["class"]:
            return known(**settings["fields"])
    raise BundleError(f"The model was fitted with a selector {settings['class']!r} unknown here; name one that is known.")
