"""A zip archive or a folder of PNG and JPEG pictures; the folder a picture lies in is its label."""

import io
import math
import os
import struct
import warnings
from pathlib import Path, PurePosixPath

import numpy as np

from leasc_core.data.columns.info import ColumnInfo
from leasc_core.data.columns.metadata import metadata_of
from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_bytes, check_cells, check_members, one_line, parsing, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.archives import open_archive, read_member
from leasc_core.data.reading.format import Format

PICTURES = (".png", ".jpg", ".jpeg")
MOST_PIXELS = 1 << 24
BLOCK_BYTES = 8 << 20
MOST_NAMED = 3
GREY_16 = ("I;16", "I;16B", "I;16L", "I")


def recognises(head, blob):
    """A folder, or a zip archive that is not an Excel or Word file."""
    return blob.is_folder or (head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and b"[Content_Types].xml" not in head[:64])


def read(blob, limits, array=None, label=None):
    """Pictures one a row, all of one size and mode; `label=False` ignores the folders."""
    names, open_pictures = (_folder if blob.is_folder else _archive)(blob, limits)
    if blob.is_folder:
        _refuse_stores(blob)
    if not names and not blob.is_folder and (others := _others(blob, limits)):
        raise refuse(blob.name, f"is a zip archive of {', '.join(others)}", "unpack it and open what is in it")
    if not names:
        raise refuse(blob.name, "holds no PNG or JPEG pictures", "put them in one folder for each label")
    with open_pictures() as read_picture:
        first = decode(read_picture(names[0]), names[0], blob.name)
    check_cells(blob.name, (len(names), first.size), limits)
    rows = max(1, BLOCK_BYTES // first.nbytes)

    def blocks():
        with open_pictures() as read_picture:
            for start in range(0, len(names), rows):
                part = names[start : start + rows]
                yield np.stack([_like(first, decode(read_picture(n), n, blob.name), n, blob.name) for n in part])

    def flat_blocks():
        return (block.reshape(len(block), -1) for block in blocks())

    return Contents(
        blocks=flat_blocks,
        n_rows=len(names),
        n_columns=math.prod(first.shape),
        dtype=first.dtype,
        image_shape=first.shape,
        labels=None if label is False else _labels(names, blob.name),
        columns=(ColumnInfo("file", "picture", "text", "names of the pictures", tuple(names[:4])),),
        metadata=metadata_of({"file": np.array(names, dtype=object)}),
    )


def _refuse_stores(blob):
    """Folders that are one file to those who made them."""
    if any((blob.path / mark).exists() for mark in (".zgroup", ".zarray", "zarr.json")):
        raise refuse(blob.name, "is a Zarr store, which is not read", "save its array with numpy.save, or its cells as .h5ad")
    if matrix := next(iter(sorted(blob.path.glob("*matrix.mtx*"))), None):
        raise refuse(
            blob.name, "is a folder of a sparse matrix", f"open {matrix.name} in it; genes and barcodes beside it are found"
        )


def _others(blob, limits):
    """Names of some files of an archive without pictures."""
    with open_archive(blob, limits) as archive:
        names = [one_line(member.filename, 40) for member in archive.infolist() if not member.is_dir()]
    return names[:MOST_NAMED] + [f"{len(names) - MOST_NAMED:,} more"] * (len(names) > MOST_NAMED)


class _Opened:
    """A context in which pictures can be read by name."""

    def __init__(self, enter):
        self.enter, self.archive = enter, None

    def __enter__(self):
        self.archive, read_picture = self.enter()
        return read_picture

    def __exit__(self, *error):
        if self.archive is not None:
            self.archive.close()


def _archive(blob, limits):
    with open_archive(blob, limits) as archive:
        names = sorted(m.filename for m in archive.infolist() if not m.is_dir() and _is_picture(m.filename))

    def enter():
        archive = open_archive(blob, limits)
        return archive, lambda name: read_member(archive, archive.getinfo(name), blob.name)

    return names, lambda: _Opened(enter)


def _folder(blob, limits):
    names = list_pictures(blob.path, blob.name, limits)

    def read_picture(name):
        check_bytes(name, (blob.path / name).stat().st_size, limits)
        return (blob.path / name).read_bytes()

    return names, lambda: _Opened(lambda: (None, read_picture))


def list_pictures(root, name, limits):
    """Relative names of the pictures under `root`; symbolic links are refused, not followed."""
    names = []
    for folder, subfolders, files in os.walk(root):
        for entry in subfolders + files:
            if Path(folder, entry).is_symlink():
                raise refuse(name, f"contains the symbolic link '{entry}'", "replace it with the real file")
        here = Path(folder).relative_to(root)
        names += [(here / file).as_posix() for file in files if _is_picture((here / file).as_posix())]
        check_members(name, len(names), limits)
    return sorted(names)


def companions(path):
    """The pictures of a folder: a result depends on each of them."""
    return sorted(p for p in path.rglob("*") if _is_picture(p.as_posix())) if path.is_dir() else []


def _is_picture(name):
    hidden = any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)
    return name.lower().endswith(PICTURES) and not hidden


def _labels(names, file_name):
    folders = np.array([PurePosixPath(name).parent.name for name in names])
    if len(np.unique(folders)) < 2:
        return None
    labels = Labels(file_name, "the folder names")
    labels.add_texts(folders)
    return labels


def decode(data, name, file_name):
    """The values of one PNG or JPEG picture, (h, w) or (h, w, 3)."""
    from PIL import Image

    with parsing(f"{file_name}/{name}", "picture"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            picture = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
        except (Image.DecompressionBombError, struct.error) as error:
            raise ValueError(error) from None
        width, height = picture.size
        if width * height > MOST_PIXELS:
            raise refuse(file_name, f"holds '{name}' of {width} x {height} pixels", "resize the pictures")
        if picture.mode in GREY_16:
            return np.asarray(picture).astype(np.uint16)
        plain = {"1": "L", "L": "L", "LA": "L"}.get(picture.mode, "RGB")
        return np.asarray(picture.convert(plain))


def _like(first, picture, name, file_name):
    if picture.shape != first.shape or picture.dtype != first.dtype:
        what = f"holds '{name}' of shape {picture.shape} while the first picture has {first.shape}"
        raise refuse(file_name, what, "make all pictures the same size and colour mode")
    return picture


FORMAT = Format("pictures", (".zip",), recognises, read, companions=companions, rank=1)
