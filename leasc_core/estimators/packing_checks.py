"""What every bundle of an estimator needs: plain values going out, parts that fit together coming in."""

import numpy as np

from ..errors import BundleError


def whole_or_none(random_state):
    """A seed as it is; a generator cannot be written down."""
    return random_state if isinstance(random_state, (int, np.integer)) else None


def plain(values):
    """The same dictionary with numpy's numbers as Python's."""
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}


def check_chain(shapes, n_representatives):
    """The layers of a network must fit one another and give one code a representative."""
    width = shapes[0]
    for rows, columns in shapes[1:]:
        require(rows == width, "the layers of the network do not fit together")
        width = columns
    require(width == n_representatives, "the network does not give one code a representative")


def require(condition, what):
    """A :class:`BundleError` that says ``what`` is wrong, unless ``condition``."""
    if not condition:
        raise BundleError(f"The model file is inconsistent: {what}; save the model again.")
