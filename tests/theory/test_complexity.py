"""Table II: every formula evaluated against the paper's text by hand, and how each grows."""

import pytest

from leasc_core.errors import ParameterError
from leasc_core.theory.complexity import TABLE, Sizes

ROWS = {row.method: row for row in TABLE}
# m = 10, n = 3, d = 2, one hidden layer of 4, t1 = 5, t2 = 7, worked out from the printed table.
SMALL = Sizes(m=10, n=3, d=2, hidden=(4,), epochs=5, iterations=7)
TRAINING = {
    "RPCM elastic net": 7 * 8 * 27,
    "RPCM ℓ1": 7 * 7 * 27,
    "RPCM nuclear": 7 * (6 * 27 + 18),
    "RPCM F²": 6 * 27,
    "ENSC": 0,
    "SSC": 0,
    "LRR": 0,
    "LSR": 0,
}
CODING = {
    "RPCM elastic net": 200,
    "RPCM ℓ1": 200,
    "RPCM nuclear": 200,
    "RPCM F²": 200,
    "ENSC": 7 * 3 * 1000,
    "SSC": 7 * 2 * 1000,
    "LRR": 7 * (200 + 1000),
    "LSR": 1000,
}


def test_the_rows_are_those_of_the_table():
    assert list(ROWS) == list(TRAINING) == list(CODING)
    for name, row in ROWS.items():
        assert row.training_of(SMALL) == TRAINING[name] and row.coding_of(SMALL) == CODING[name]
        assert row.total(SMALL) == TRAINING[name] + CODING[name]


def test_weights_of_any_depth():
    assert SMALL.weights == 2 * 4 + 4 * 3
    assert Sizes(10, 3, 2, hidden=(4, 5)).weights == 2 * 4 + 4 * 5 + 5 * 3
    assert Sizes(10, 3, 2, hidden=()).weights == 6


@pytest.mark.parametrize("name", ROWS)
def test_learned_coding_grows_linearly_and_classical_coding_with_the_cube(name):
    large, larger = (ROWS[name].coding_of(Sizes(m, 100, 2)) for m in (10**8, 10**9))
    assert larger / large == pytest.approx(10 if name.startswith("RPCM") else 1000, rel=1e-6)
    stored = [ROWS[name].stored(Sizes(m, 100, 2)) for m in (10**8, 10**9)]
    assert stored[1] // stored[0] == (10 if name.startswith("RPCM") else 100)


@pytest.mark.parametrize("bad", [{"m": 0}, {"n": -1}, {"d": 0}, {"iterations": 0}, {"epochs": -1}, {"hidden": (4, 0)}])
def test_impossible_sizes_are_refused(bad):
    with pytest.raises(ParameterError, match="is no size of Table II"):
        Sizes(**{"m": 10, "n": 3, "d": 2, **bad})
