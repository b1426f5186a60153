"""A fitted RPCM as plain settings and named arrays, and back."""

import dataclasses
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..errors import BundleError, LeascError
from ..events import CodingIteration, NetworkEpoch
from ..stages.learn import Learned, pack_network, unpack_network
from .limits import check_parameters
from .packing_checks import check_chain, plain, require, whole_or_none

HISTORIES = {"history": CodingIteration, "network_history": NetworkEpoch}


def pack_rpcm(rpcm):
    """``(settings, arrays)`` of a fitted RPCM: f, codes, errors, and how they came about."""
    parameters = {name: value for name, value in rpcm.get_params(deep=False).items() if name != "on_event"}
    parameters |= {"hidden": list(rpcm.hidden), "random_state": whole_or_none(rpcm.random_state)}
    settings, arrays = pack_network(rpcm.network_, rpcm.n_iter_)
    settings |= {"parameters": plain(parameters), "gap": rpcm.gap_ if rpcm.gap_ is None else float(rpcm.gap_)}
    settings |= {"converged": bool(rpcm.converged_), "stopped": bool(rpcm.stopped_)}
    settings |= {name: [plain(dataclasses.asdict(event)) for event in getattr(rpcm, f"{name}_")] for name in HISTORIES}
    return settings, arrays | {"codes": rpcm.codes_, "errors": rpcm.errors_}


def unpack_rpcm(cls, limits, path, settings, arrays):
    """The RPCM that :func:`pack_rpcm` described; a :class:`BundleError` where the parts do not fit together."""
    try:
        model = cls(**{**settings["parameters"], "hidden": tuple(settings["parameters"]["hidden"])})
        check_parameters(model, limits)
        network, (n, width) = unpack_network(settings, arrays), arrays["errors"].shape
        check_chain([width, *[W.shape for W in network.weights]], n)
        require(arrays["codes"].shape == (n, n), "codes do not fit the errors")
        require(all(np.isfinite(A).all() for A in arrays.values()), "an array holds values that are not finite")
        histories = [[kind(**event) for event in settings[name]] for name, kind in HISTORIES.items()]
        model.n_features_in_ = width
        with warnings.catch_warnings():  # that it did not converge was said when it was fitted
            warnings.simplefilter("ignore", ConvergenceWarning)
            model._keep(
                Learned(
                    network,
                    settings["n_iter"],
                    arrays["codes"],
                    arrays["errors"],
                    settings["gap"],
                    *histories,
                    settings["converged"],
                    settings["stopped"],
                )
            )
        return model
    except BundleError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, LeascError) as error:
        raise BundleError(f"{path} does not hold a complete RPCM ({error}); save it again.") from None
