"""Principal axes that point the same way on every page. No Streamlit in here."""

import numpy as np

NAMES = ("1st principal axis", "2nd principal axis")


def facing(axes):
    """The same axes (rows), each with the sign that makes its largest entry positive: a singular vector has none of its own."""
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    return axes * np.where(signs == 0, 1.0, signs)[:, None]
