"""Stages that were done before a fit: written into its store, and checked against its data."""

from ..errors import DataError, ParameterError
from ..stages.learn import STAGE as NETWORK
from ..stages.learn import pack_network
from ..stages.represent import STAGE as REPRESENTATIVES
from ..stages.represent import Representatives
from .rpcm import RPCM


def begin(store, start) -> None:
    """Put ``start`` into ``store``: :class:`Representatives`, or a pair of them and the :class:`RPCM` fitted to their points."""
    chosen, rpcm = start if isinstance(start, tuple) and len(start) == 2 else (start, None)
    if not isinstance(chosen, Representatives) or not isinstance(rpcm, RPCM | None):
        raise ParameterError(
            f"start={start!r:.80} is no stage of LeaSC; give what choose() returned, or a pair of that and a fitted RPCM."
        )
    store.put(REPRESENTATIVES, *chosen.packed())
    if rpcm is not None:
        if not hasattr(rpcm, "network_"):
            raise ParameterError("The RPCM in start= is not fitted; call its fit(representatives.points) first.")
        store.put(NETWORK, *pack_network(rpcm.network_, rpcm.n_iter_))


def check_start(chosen: Representatives, source) -> None:
    """The representatives must be rows of this source."""
    indices, points = chosen.indices, chosen.points
    if len(indices) != len(points) or points.shape[1] != source.shape[1]:
        raise DataError(
            f"The representatives are {points.shape[0]} points of {points.shape[1]} features with {len(indices)} indices, but "
            f"the data have {source.shape[1]} features; choose them from these data, prepared as these are."
        )
    if len(indices) and (min(indices) < 0 or max(indices) >= len(source)):
        raise DataError(
            f"Representative {max(indices)} is not among the {len(source)} points; choose representatives from these data."
        )


def check_network(network, points) -> None:
    """f must take these representatives and give one code entry for each."""
    takes, gives = network.weights[0].shape[0], network.weights[-1].shape[1]
    if (takes, gives) != (points.shape[1], len(points)):
        raise DataError(
            f"The function f takes {takes} features to {gives} codes, but there are {len(points)} representatives of "
            f"{points.shape[1]} features; fit the RPCM to the points of these representatives."
        )
