"""Bad arrays: labels for every row, or one clear sentence; all on the quick methods, on others those that once went wrong."""

import pytest

from tests.hostile.arrays import ARRAYS, METHODS, complaint

QUICK = ("LeaSC of landmarks", "LeaSC of codes", "RPCM", "LandmarkSpectralClustering", "diagnose")
UNEVEN = ("rows from 1e-100 to 1e100", "columns from 1e-100 to 1e100")
ONCE_WRONG = {
    "LeaSC": ("rows of different lengths", "all on one line", *UNEVEN),
    "LeaSC, nothing chosen": ("rows of different lengths", "times 1e+160 in f8", *UNEVEN),
    "autopilot": ("rows of different lengths", "a number of 1e308", "times 1e+160 in f8", *UNEVEN),
    "rpcaec": ("no columns", "all zeros", "minus zeros"),
    "ssc_omp": ("no columns",),
    "lrr": ("no columns",),
    "sklearn_spectral": ("as many rows as clusters",),
}


def test_there_are_many_and_every_method_is_asked():
    assert len(ARRAYS) >= 83 and set(QUICK) | ONCE_WRONG.keys() <= METHODS.keys()


@pytest.mark.parametrize("method", QUICK)
def test_labels_or_a_sentence(method):
    assert {what: found for what, X in ARRAYS.items() if (found := complaint(method, X))} == {}


@pytest.mark.parametrize(("method", "what"), [(method, what) for method in ONCE_WRONG for what in ONCE_WRONG[method]])
def test_what_once_went_wrong(method, what):
    assert complaint(method, ARRAYS[what]) is None
