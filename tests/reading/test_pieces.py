"""Text tables are cut only between records, and tables stored by columns are bounded before they are unpacked."""

import io
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from leasc_core.data.reading import load_data
from leasc_core.data.reading.tables import pieces
from leasc_core.errors import DataError


@pytest.mark.parametrize("piece", [200, 333, 1024, 1 << 20])
def test_a_line_end_in_quotes_ends_no_row(piece, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE_BYTES", piece)
    texts = [f'remark {at}\nsecond "line" of it,\n and a third' if at % 3 else f'5" pipe {at}' for at in range(2000)]
    quoted = ['"' + text.replace('"', '""') + '"' if at % 3 else text for at, text in enumerate(texts)]
    body = "a,note,b\n" + "".join(f"{at}.5,{text},{at * 2}\n" for at, text in enumerate(quoted))
    data = load_data(body.encode(), name="a.csv")
    np.testing.assert_array_equal(data.X, [[at + 0.5, at * 2] for at in range(2000)])
    assert data.metadata.column("note").tolist() == texts


def bomb(kind, rows=1_000_000, length=100_000):
    """A label of 100 kB that every row repeats: some kB on disk, 100 GB as texts."""
    label = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array(["x" * length]))
    table = pa.table({"a": np.arange(rows) % 5, "b": np.arange(rows) % 7, "label": label})
    buffer = io.BytesIO()
    if kind == "parquet":
        pa.parquet.write_table(table, buffer)
    else:
        pa.feather.write_feather(table, buffer, compression="zstd")
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_a_long_label_that_is_repeated_is_held_once(kind, tmp_path):
    path = tmp_path / f"bomb.{kind}"
    path.write_bytes(bomb(kind))
    code = (
        "import sys, resource\nfrom leasc_core.data.sources import open_source\n"
        "from leasc_core.errors import DataError\nimport pyarrow.parquet, pyarrow.feather\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n    source = open_source(sys.argv[1]); sum(len(b) for _, b in source.blocks()); source.metadata.take([5])\n"
        "except DataError as error:\n    print(error, file=sys.stderr)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"
    )
    grown = int(subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout)
    assert grown < 300, f"{grown} MB"


def test_a_feather_file_that_unpacks_to_gigabytes_is_refused_before():
    buffer = io.BytesIO()
    table = pa.table({"a": np.arange(300.0), "b": np.arange(300.0), "note": ["y" * 1_000_000] * 300})
    pa.feather.write_feather(table, buffer, compression="zstd")
    assert len(buffer.getvalue()) < 1_000_000
    with pytest.raises(DataError, match=r"would grow from .* to 300\.\d MB"):
        load_data(buffer.getvalue(), name="bomb.feather")
