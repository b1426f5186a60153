"""How many principal axes of rows stand above noise that is alike in all directions."""

import numpy as np


def axes_above_noise(rows: np.ndarray) -> int:
    """The number of singular values of the centred rows (n, d) above the hard threshold of Gavish and Donoho (2014).

    The noise need not be known: it is read off the median singular value. Rows without noise keep every axis that they have.
    """
    rows = np.asarray(rows, np.float64)
    rows = rows - rows.mean(axis=0)
    gram = rows @ rows.T if len(rows) <= rows.shape[1] else rows.T @ rows
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(gram), 0.0))
    ratio = min(rows.shape) / max(rows.shape)
    factor = 0.56 * ratio**3 - 0.95 * ratio**2 + 1.82 * ratio + 1.43
    return int((values > max(factor * np.median(values), 1e-6 * values[-1])).sum())
