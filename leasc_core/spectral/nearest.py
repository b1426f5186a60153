"""The nearest centres of many points: one matrix product a block of points, and a single look over its result.

A centre c and its mirror image −c share a product, so ignoring the sign costs nothing.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

# A product of so many rows stays near the processor, and its place in memory is used again for the next.
ROWS = 1024
WORTH_A_THREAD = 1 << 20


def nearest(points, centres, count, mirrored=False):
    """Squared distances to, and indices of, the ``count`` nearest centres of each row, nearest first.

    ``mirrored`` treats c and −c as one centre: the nearer of the two counts, and indices from ``len(centres)`` on mean −c.
    """
    import torch

    points, centres = (torch.from_numpy(_floats(A)) for A in (points, centres))
    half = 0.5 * centres.square().sum(1)
    lengths = points.square().sum(1).numpy()
    scores = np.empty((len(points), count), np.float32)
    found = np.empty((len(points), count), np.int64)
    products = torch.empty((min(ROWS, len(points)), len(centres)))
    best = compiled(_best)
    threads = torch.get_num_threads() if products.numel() >= WORTH_A_THREAD else 1
    with ThreadPoolExecutor(threads) as pool:
        for start in range(0, len(points), ROWS):
            some = points[start : start + ROWS]
            block = torch.mm(some, centres.T, out=products[: len(some)]).numpy()
            edges = np.linspace(0, len(some), threads + 1).astype(int)
            shares = [slice(a, b) for a, b in zip(edges, edges[1:], strict=False)]
            at = [slice(start + s.start, start + s.stop) for s in shares]
            work = [(block[s], half.numpy(), mirrored, scores[a], found[a]) for s, a in zip(shares, at, strict=True)]
            list(pool.map(lambda arguments: best(*arguments), work) if threads > 1 else [best(*work[0])])
    return np.maximum(lengths[:, None] - 2.0 * scores, 0.0), found


def _floats(A):
    A = np.ascontiguousarray(A, dtype=np.float32)
    return A if A.flags.writeable else A.copy()


@cache
def compiled(function, fastmath=False):
    """The function as machine code; numba is loaded when it is first needed."""
    import numba

    return numba.njit(nogil=True, cache=True, fastmath=fastmath)(function)


def _best(products, half, mirrored, scores, found):
    """The largest ⟨x, c⟩ − ½‖c‖² of each row, in falling order: the nearest centres without their ‖x‖²."""
    rows, columns = products.shape
    count = scores.shape[1]
    for i in range(rows):
        for place in range(count):
            scores[i, place], found[i, place] = -np.inf, 0
        least = np.float32(-np.inf)
        for j in range(columns):
            product = products[i, j]
            score = (abs(product) if mirrored else product) - half[j]
            if score > least:
                place = count - 1
                while place > 0 and scores[i, place - 1] < score:
                    scores[i, place], found[i, place] = scores[i, place - 1], found[i, place - 1]
                    place -= 1
                scores[i, place] = score
                found[i, place] = j + columns if mirrored and product < 0 else j
                least = scores[i, count - 1]
