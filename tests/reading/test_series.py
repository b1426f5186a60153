"""The .ts format: channels of a moment beside each other, classes at the end of the line, ragged series refused by line."""

import gzip

import numpy as np
import pytest

from leasc_core import load_data, open_source
from leasc_core.errors import DataError

VALUES = np.random.default_rng(0).normal(size=(20, 3, 5)).round(4)  # series, channels, moments
CLASSES = np.array(["walk", "run"])[np.arange(20) % 2]
HEAD = "# made here\n@problemName Gait\n@timeStamps false\n@univariate false\n@classLabel true walk run\n@data\n"


def text(values=VALUES, classes=CLASSES, head=HEAD):
    lines = (":".join(",".join(map(str, channel)) for channel in one) for one in values)
    return (head + "".join(f"{line}:{name}\n" for line, name in zip(lines, classes, strict=True))).encode()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


def test_series_are_rows_with_their_layout(tmp_path):
    (tmp_path / "a.ts").write_bytes(text())
    for stored in (tmp_path / "a.ts", gzip.compress(text())):
        data = load_data(stored, name="a.ts")
        assert np.array_equal(data.X.reshape(20, 5, 3), VALUES.transpose(0, 2, 1))
        assert [data.label_names[code] for code in data.y] == CLASSES.tolist()
        assert data.layout.kind == "series" and data.layout.shape == (20, 5, 3)
    source = open_source(tmp_path / "a.ts")
    assert np.array_equal(source.rows(0, 20), data.X) and source.layout.shape == (20, 5, 3)
    assert load_data(text(), name="a.ts", label=False).y is None


def test_missing_values_and_one_channel():
    stored = b"@univariate true\n@classLabel false\n@data\n1,2,?\n4,5,6\n"
    data = load_data(stored, name="a.ts")
    assert np.isnan(data.X[0, 2]) and data.X[1].tolist() == [4, 5, 6] and data.layout.shape == (2, 3, 1)


@pytest.mark.parametrize(
    "stored, why",
    [
        (
            b"@univariate true\n@classLabel false\n@data\n1,2,3\n4,5\n",
            "line 5 has a series of 1 channels of 2 moments .* cut them",
        ),
        (b"@univariate true\n@classLabel false\n@data\n1,2,x\n", "line 4 holds a value that is no number"),
        (b"@timeStamps true\n@data\n(0,1):a\n", "gives a time with every value"),
        (b"@univariate true\n@data\n", "no series after its line @data"),
        (b"@univariate true\n", "no series after its line @data"),
    ],
)
def test_what_is_no_series(stored, why):
    with pytest.raises(DataError, match=why):
        load_data(stored, name="a.ts")
