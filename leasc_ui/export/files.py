"""What a visitor takes away, as bytes: labels, codes, model, report. No Streamlit in here."""

import re
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from leasc_core.data.joined import save_joined
from leasc_core.data.writers import neutral
from leasc_core.runs.folder import RunFolder
from leasc_ui.export.script import script
from leasc_ui.work.names import slug

__all__ = [
    "MOST_CODE_BYTES",
    "code_bytes",
    "codes_npy",
    "joined_table",
    "labels_csv",
    "labels_parquet",
    "model_bytes",
    "report_html",
    "slug",
]

MOST_CODE_BYTES = 256 << 20
RECIPE = re.compile(r'<section id="reproduce".*?</section>', re.DOTALL)


def labels_csv(labels, names, rows=None, confidence=None):
    """row, label, name and confidence where known: a line a point; no cell is taken for a formula, numbers stay numbers."""
    from pyarrow import csv

    stream = BytesIO()
    table = _table(labels, [neutral(name) for name in names], rows, confidence)
    csv.write_csv(table, stream, csv.WriteOptions(quoting_style="needed"))
    return stream.getvalue()


def labels_parquet(labels, names, confidence=None):
    """The same table as Parquet, names as they are."""
    from pyarrow import parquet

    stream = BytesIO()
    parquet.write_table(_table(labels, names, None, confidence), stream)
    return stream.getvalue()


def joined_table(source, labels, names, confidence=None, suffix=".csv"):
    """Every column the rows came with, in the file's order, and the cluster of each, counted from 1 (-1 for noise)."""
    texts = np.array([*map(str, names), "noise"], dtype=object)
    numbers = np.asarray(labels)
    found = {
        "cluster": np.where(numbers < 0, -1, numbers + 1),
        "cluster name": texts[np.where(np.asarray(labels) < 0, len(names), labels)],
    }
    if confidence is not None:
        found["confidence"] = np.round(np.asarray(confidence, dtype=np.float64), 4)
    with TemporaryDirectory(prefix="leasc-") as folder:
        path = Path(folder) / f"joined{suffix}"
        save_joined(path, source, found)
        return path.read_bytes()


def code_bytes(results):
    """How large the codes of all points are."""
    return 4 * len(results.labels) * len(results.representative_labels)


def codes_npy(results):
    """The codes f(Y) of all points as .npy, float32: a row a point, a column a representative."""
    stream = BytesIO()
    np.save(stream, results.codes(np.arange(len(results.labels))).astype(np.float32, copy=False), allow_pickle=False)
    return stream.getvalue()


def model_bytes(folder):
    """The run's model bundle; with its edits, where there are any."""
    from leasc_ui.results.edits import edited_model

    return (edited_model(folder) or RunFolder(folder).model_file).read_bytes()


def report_html(folder, asked, data, more=""):
    """The run's report on one page, with how this app did it in place of the command line, and no path of the server in it."""
    from leasc_ui.results.edits import history_of

    files = RunFolder(folder)
    page = files.report_file.read_text("utf-8")
    again = (
        '<section id="reproduce" class=wide><h2>Do it again</h2><p class="say">The same data, choices and seeds give the same '
        f"labels.</p><pre>{escape(script(asked, data, history_of(folder)))}</pre></section>"
    )
    page = RECIPE.sub(lambda _: more + again, page)
    path = files.config()["data"]["path"]
    for full, short in ((path, Path(path).name), (str(files.path), "run")):
        page = page.replace(escape(full), escape(short)).replace(full, escape(short))
    return page.encode()


def _table(labels, names, rows, confidence):
    import pyarrow as pa

    rows = np.arange(len(labels)) if rows is None else np.asarray(rows)
    own = np.asarray(labels)[rows]
    # Noise, -1, is the last of the names.
    places = np.where(own < 0, len(names), own).astype(np.int32)
    texts = pa.DictionaryArray.from_arrays(pa.array(places), pa.array([*map(str, names), "noise"]))
    columns = {"row": rows.astype(np.int64), "label": own.astype(np.int32), "name": texts.cast(pa.string())}
    if confidence is not None:
        columns["confidence"] = np.round(np.asarray(confidence, dtype=np.float64)[rows], 4)
    return pa.table(columns)
