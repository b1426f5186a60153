"""Files that cannot be read in place, converted once to a .npy in the cache folder and used from there."""

import json
import os
import shutil
import tempfile
import time
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import numpy as np

from leasc_core.data.columns.gathering import MetadataSink
from leasc_core.data.columns.info import from_plain, plain
from leasc_core.data.columns.metadata import open_metadata, write_metadata
from leasc_core.data.dataset import Dataset, complete, draft
from leasc_core.data.gather import write_npy
from leasc_core.data.guards import refuse
from leasc_core.data.layout import Layout
from leasc_core.data.reading import load_data
from leasc_core.data.reading.beside import companions
from leasc_core.data.reading.blobs import open_blob
from leasc_core.data.reading.contents import asked_truth, options_of, read_contents, recognise
from leasc_core.data.reading.roles import ArrayInfo
from leasc_core.data.sources.folders import cache_folder
from leasc_core.data.sources.source import source_of_array
from leasc_core.data.values import check_shape
from leasc_core.errors import DataError

VERSION = 5
LARGEST_CACHE = 64 << 30
FORGOTTEN_SECONDS = 2 * 24 * 3600
KEPT = ("label_names", "feature_names", "image_shape", "image_order", "name", "notes")


def source_of_file(thing, name, progress, limits, options):
    """The source of a file: in place where its format allows it, else of its converted copy."""
    blob = open_blob(thing, name, limits)
    found = recognise(blob)
    if "like" in options and not (options["like"] and "like" in options_of(found)):
        options = {key: value for key, value in options.items() if key != "like"}
    if "label" in options:
        options = options | {"label": asked_truth(blob, options["label"], limits)}
    simple = set(options) <= {"label", "roles", "like"} and isinstance(options.get("label"), (str, int, type(None)))
    if blob.path is None:
        data = load_data(blob, **options)
    elif found.source is not None and simple:
        return found.source(blob, limits, **options)
    elif found.in_place and not blob.packed:
        contents, wishes = _contents(blob, limits, options)
        mapped = contents.array is not None
        data = draft(contents, contents.array, blob.name, wishes) if mapped else converted(blob, progress, limits, options)
    else:
        data = converted(blob, progress, limits, options)
    return source_of_array(data.X, data.name, data)


def _contents(blob, limits, options):
    return read_contents(blob, limits, **options)


def converted(blob, progress, limits, options):
    """The `Dataset` of a file, its numbers memory-mapped in the cache; converted now if not there yet."""
    entry = cache_folder() / _key(blob, options)
    data = _open_entry(entry)
    if data is None:
        _make_entry(entry, blob, progress, limits, options)
        data = _open_entry(entry)
        _prune(entry)
    if data is None:
        raise refuse(blob.name, f"could not be kept in the cache folder {entry.parent}", "set LEASC_CACHE to another")
    return data


def _key(blob, options):
    """Path, size and time of the file and of what belongs to it, and the options."""
    found = recognise(blob)
    files = [blob.path, *(found.companions(blob.path) if found.companions else []), *companions(blob.path)]
    stamps = [(str(f.resolve()), f.stat().st_size, f.stat().st_mtime_ns) for f in files]
    wanted = {key: _plain(value) for key, value in options.items() if value is not None}
    return blake2b(json.dumps([VERSION, stamps, wanted], sort_keys=True).encode(), digest_size=16).hexdigest()


def _plain(value):
    """An option as JSON."""
    if isinstance(value, dict):
        return [[str(name), str(role)] for name, role in value.items()]
    if isinstance(value, tuple) and value and hasattr(value[0], "role"):
        return plain(value)
    return np.asarray(value).tolist()


def _make_entry(entry, blob, progress, limits, options):
    """Convert in a folder of a temporary name, then rename it: a half-made entry is never seen."""
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="making-", dir=entry.parent, ignore_cleanup_errors=True) as folder:
            making = Path(folder) / "entry"
            making.mkdir(mode=0o700)
            _convert(making, blob, progress, limits, options)
            try:
                making.rename(entry)
            except OSError:
                if not (entry / "about.json").exists():
                    raise
    except OSError as error:
        what = f"cannot be converted in the cache folder {entry.parent} ({error.strerror})"
        raise refuse(blob.name, what, "free some space or set LEASC_CACHE to another folder") from None


def _convert(folder, blob, progress, limits, options):
    contents, wishes = _contents(blob, limits, options)
    on_rows = _reporter(progress, contents, blob.name)
    if isinstance(contents.metadata, MetadataSink):
        contents.metadata.to_file(folder / "beside.arrow")
    if contents.array is None and wishes.transpose:
        write_npy(folder.parent / "raw.npy", contents.blocks(), contents.n_columns, contents.dtype, on_rows)
        contents.array = np.load(folder.parent / "raw.npy", mmap_mode="r", allow_pickle=False)
    if contents.array is None:
        rows = write_npy(folder / "X.npy", contents.blocks(), contents.n_columns, contents.dtype, on_rows)
        check_shape(blob.name, (rows, contents.n_columns))
        data = draft(contents, _mapped(folder), blob.name, wishes)
    else:
        data = draft(contents, contents.array, blob.name, wishes)
        source = source_of_array(data.X, data.name)
        blocks = (block for _, block in source.raw_blocks(source.block_rows()))
        write_npy(folder / "X.npy", blocks, source.shape[1], source.dtype, on_rows)
        data = replace(data, X=_mapped(folder))
    data = complete(data, contents.matlab, wishes)
    if data.y is not None:
        np.save(folder / "y.npy", data.y, allow_pickle=False)
    about = {key: getattr(data, key) for key in KEPT} | {"arrays": data.arrays, "columns": plain(data.columns)}
    if data.metadata is not None and not isinstance(contents.metadata, MetadataSink):
        write_metadata(data.metadata, folder / "beside.arrow")
    if data.layout is not None:
        about["layout"] = data.layout.saved(folder / "layout.npz")
    with open(folder / "about.json", "w", encoding="utf-8") as file:
        json.dump(about, file)
        file.flush()
        os.fsync(file.fileno())


def _mapped(folder):
    return np.load(folder / "X.npy", mmap_mode="r", allow_pickle=False)


def _reporter(progress, contents, name):
    total = contents.n_rows or contents.about_rows

    def report(rows):
        if progress is not None and progress(rows, None if total is None else max(rows, total)):
            raise DataError(f"{name}: the conversion was stopped after {rows:,} rows; open it again to start over.")

    return report


def _open_entry(entry):
    """The entry's `Dataset`, or None; a damaged entry is removed."""
    if not (entry / "about.json").exists():
        return None
    try:
        about = json.loads((entry / "about.json").read_text("utf-8"))
        X = _mapped(entry)
        y = np.load(entry / "y.npy", allow_pickle=False) if (entry / "y.npy").exists() else None
        if "layout" in about:
            about["layout"] = Layout.opened(entry / "layout.npz", about["layout"])
        about["columns"] = from_plain(about["columns"])
        metadata = _beside(entry, about["columns"])
        os.utime(entry / "about.json")
    except (OSError, ValueError, EOFError, KeyError, TypeError):
        shutil.rmtree(entry, ignore_errors=True)
        return None
    about["image_shape"] = about["image_shape"] and tuple(about["image_shape"])
    about["arrays"] = [ArrayInfo(name, tuple(shape), dtype, role) for name, shape, dtype, role in about["arrays"]]
    return Dataset(X=X, y=y, metadata=metadata, **about)


def _beside(entry, columns):
    """The columns beside the features, mapped."""
    numeric = [column.name for column in columns if column.kind in ("number", "whole")]
    path = entry / "beside.arrow"
    return open_metadata(path, numeric) if path.exists() else None


def _prune(newest):
    """Drop the entries used longest ago until the folder is within its size, and what a crash left half made."""
    for left in newest.parent.glob("making-*"):
        if time.time() - left.stat().st_mtime > FORGOTTEN_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    entries = [entry for entry in newest.parent.iterdir() if (entry / "about.json").exists() and entry != newest]
    entries.sort(key=lambda entry: (entry / "about.json").stat().st_mtime, reverse=True)
    total = _size(newest)
    for entry in entries:
        total += _size(entry)
        if total > LARGEST_CACHE:
            shutil.rmtree(entry, ignore_errors=True)


def _size(entry):
    return sum(file.stat().st_size for file in entry.iterdir())
