"""Arrays that nobody should bring, but somebody will, and what every method has to say to each.

`python -m tests.hostile.arrays` tries all of them on all methods; an answer is labels, one for each row, or one clear sentence.
"""

import argparse
import sys
import time
import traceback
import warnings

import numpy as np
import scipy.sparse

from leasc_core import LeaSC, baselines
from leasc_core.autopilot import propose
from leasc_core.diagnosis.verdict import diagnose
from leasc_core.errors import LeascError
from leasc_core.estimators.landmark import LandmarkSpectralClustering
from leasc_core.estimators.rpcm import RPCM

RNG = np.random.default_rng(0)
BASES = RNG.normal(size=(3, 2, 6))
GOOD = np.concatenate([RNG.normal(size=(12, 2)) @ basis for basis in BASES])
K, LONGEST, SLOWEST = 3, 600, 20.0
SMALL = {"n_representatives": 12, "hidden": (8,), "epochs": 5, "random_state": 0}


def changed(places, value, dtype=float):
    """The good points with other numbers in some places."""
    points = GOOD.astype(dtype)
    points[places] = value
    return points


def filled(value, shape=(20, 4), dtype=float):
    return np.full(shape, value, dtype)


def scaled(scale, dtype=float):
    with np.errstate(all="ignore"):
        return (GOOD * scale).astype(dtype)


def _shapes():
    yield from {
        "nothing at all": np.array([]),
        "one number": np.array(3.0),
        "a row of numbers": np.arange(10.0),
        "no rows": np.empty((0, 5)),
        "no columns": np.empty((5, 0)),
        "one row": np.ones((1, 5)),
        "two rows": GOOD[:2],
        "as many rows as clusters": GOOD[:3],
        "four rows": GOOD[:4],
        "one column": GOOD[:, :1],
        "one column, turned": GOOD[:, :1].T,
        "two columns": GOOD[:, :2],
        "three axes": GOOD.reshape(6, 6, 6),
        "four axes": np.ones((4, 3, 2, 2)),
        "more columns than rows": RNG.normal(size=(6, 300)),
        "2,000 columns": RNG.normal(size=(8, 2000)),
        "every second row": np.repeat(GOOD, 2, axis=0)[::2],
        "rows from the end": GOOD[::-1],
        "read only": np.frombuffer(GOOD.tobytes()).reshape(GOOD.shape),
        "a list of lists": GOOD.tolist(),
        "rows of different lengths": [[1.0, 2.0], [3.0]],
        "a tuple": tuple(map(tuple, GOOD)),
        "a matrix": np.matrix(GOOD),
        "masked": np.ma.masked_less(GOOD, -1),
        "sparse": scipy.sparse.csr_matrix(GOOD),
    }.items()


def _values():
    for word, value in {"NaN": np.nan, "infinity": np.inf, "minus infinity": -np.inf}.items():
        yield f"one {word}", changed((4, 2), value)
        yield f"a row of {word}", changed(4, value)
        yield f"a column of {word}", changed((slice(None), 2), value)
        yield f"nothing but {word}", filled(value)
    yield from {
        "all zeros": filled(0.0),
        "all ones": filled(1.0),
        "minus zeros": filled(-0.0),
        "one zero row": changed(4, 0.0),
        "half of the rows zeros": changed(slice(0, 18), 0.0),
        "all but two rows zeros": changed(slice(0, 34), 0.0),
        "a zero column": changed((slice(None), 2), 0.0),
        "all but one column zeros": changed((slice(None), slice(1, None)), 0.0),
        "a column of the row numbers": np.c_[GOOD, np.arange(36.0)],
        "a column of identifiers": np.c_[GOOD, 1e15 + np.arange(36.0)],
        "one row 36 times": np.repeat(GOOD[:1], 36, axis=0),
        "two rows 18 times": np.repeat(GOOD[[0, 20]], 18, axis=0),
        "each row twice": np.repeat(GOOD, 2, axis=0),
        "each row and its negative": np.r_[GOOD, -GOOD],
        "all on one line": np.outer(np.arange(1.0, 37), np.ones(6)),
        "two columns alike": np.c_[GOOD, GOOD[:, :1]],
        "one number far away": changed((4, 2), 1e9),
        "a number of 1e308": changed((4, 2), 1e308),
        "one tiny number in zeros": np.where(np.arange(24).reshape(6, 4) == 5, 5e-324, 0.0),
        "denormal numbers": filled(5e-324),
    }.items()


def _scales():
    for scale, dtype in [(1e20, "f4"), (1e38, "f4"), (1e-23, "f4"), (1e-44, "f4"), (1e160, "f8"), (1e307, "f8"), (1e-200, "f8")]:
        yield f"times {scale:g} in {dtype}", scaled(scale, dtype)
    yield "rows from 1e-100 to 1e100", GOOD * np.logspace(-100, 100, 36)[:, None]
    yield "columns from 1e-100 to 1e100", GOOD * np.logspace(-100, 100, 6)
    yield "half of the rows times 1e18", GOOD * np.repeat([1.0, 1e18], 18)[:, None]


def _types():
    whole = np.round(10 * GOOD)
    yield from {
        "half precision": GOOD.astype("f2"),
        "half precision with infinity": scaled(1e6, "f2"),
        "long double": GOOD.astype(np.longdouble),
        "other byte order": GOOD.astype(">f8"),
        "small whole numbers": whole.astype("i1"),
        "whole numbers of 64 bits": (whole * 2**50).astype("i8"),
        "unsigned whole numbers of 64 bits": np.full((20, 4), 2**64 - 1, "u8"),
        "truth values": GOOD > 0,
        "complex": GOOD + 1j,
        "texts": GOOD.astype(str),
        "texts of words": np.full((20, 4), "word"),
        "bytes": GOOD.astype("S8"),
        "dates": whole.astype("M8[D]"),
        "spans of time": whole.astype("m8[s]"),
        "objects that are numbers": GOOD.astype(object),
        "objects that are none": np.full((20, 4), None),
    }.items()


ARRAYS = dict([*_shapes(), *_values(), *_scales(), *_types()])


def _estimator(make, method="fit_predict"):
    return lambda X: getattr(make(), method)(X)


def _diagnosed(X):
    diagnose(X)


def _proposed(X):
    propose(X, budget=3.0)


METHODS = {
    "LeaSC": _estimator(lambda: LeaSC(K, **SMALL)),
    "LeaSC, nothing chosen": _estimator(lambda: LeaSC(**SMALL)),
    "LeaSC of landmarks": _estimator(lambda: LeaSC(K, affinity="landmarks", preprocess=None, **SMALL)),
    "LeaSC of codes": _estimator(lambda: LeaSC(K, affinity="codes", preprocess=None, **SMALL)),
    "RPCM": _estimator(lambda: RPCM(hidden=(8,), epochs=5, random_state=0), "fit_transform"),
    "LandmarkSpectralClustering": _estimator(lambda: LandmarkSpectralClustering(K, random_state=0)),
    "diagnose": _diagnosed,
    "autopilot": _proposed,
} | {name: lambda X, name=name: baselines.get(name).run(X, K, seed=0).labels for name in baselines.names()}


def complaint(name, X):
    """None if a method gives labels or codes for every row, or one clear sentence; else what it did instead."""
    begun = time.perf_counter()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = METHODS[name](X)
    except Exception as error:
        return _unclear(error)
    if time.perf_counter() - begun > SLOWEST:
        return f"took {time.perf_counter() - begun:.0f} s"
    if found is None:
        return None
    found = np.asarray(found)
    if len(found) != len(X if not scipy.sparse.issparse(X) else X.toarray()) or not np.isfinite(found).all():
        return f"gave {found.shape} with {np.isnan(found.astype(float)).sum()} NaN"
    return None


def _unclear(error):
    """None for a sentence of ours, or of scikit-learn's checks, whose wording its users know."""
    text, where = str(error), traceback.extract_tb(error.__traceback__)[-1].filename
    ours = isinstance(error, LeascError) and len(text) <= LONGEST and "\n" not in text
    checked = isinstance(error, (ValueError, TypeError)) and where.endswith(
        ("sklearn/utils/validation.py", "sklearn/utils/_validation.py")
    )
    return None if ours or checked else f"{type(error).__name__}: {text[:200]} ({where.split('site-packages/')[-1]})"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--method", action="append", choices=METHODS)
    options, tried, bad = parser.parse_args(argv), 0, 0
    for name in options.method or METHODS:
        begun = time.perf_counter()
        for what, X in ARRAYS.items():
            tried += 1
            found = complaint(name, X)
            if found:
                bad += 1
                print(f"{name}: {what}: {found}", flush=True)
        print(f"{name}: {time.perf_counter() - begun:.0f} s", flush=True)
    print(f"{tried:,} tried, {len(ARRAYS)} arrays, {bad} unclear")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
