"""ENVI scenes: a text header and a plain file of numbers beside it, band by band, line by line or pixel by pixel."""

import re
import zipfile
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_header, one_line, refuse
from leasc_core.data.layout import Layout
from leasc_core.data.reading.archives import open_archive, read_member
from leasc_core.data.reading.format import Format

MAGIC = b"ENVI"
ENDINGS = (".img", ".dat", ".raw", ".bin", ".bsq", ".bil", ".bip", ".envi", "")
TYPES = {1: "u1", 2: "i2", 3: "i4", 4: "f4", 5: "f8", 12: "u2", 13: "u4", 14: "i8", 15: "u8"}
# Which axis is the spectrum, and the order in which lines, samples and bands are stored.
ORDERS = {"bsq": (0, "bls"), "bil": (1, "lbs"), "bip": (2, "lsb")}
BLOCK_BYTES = 8 << 20
LARGEST_HEADER = 4 << 20


@dataclass(frozen=True)
class Scene:
    """What a header says: the array's shape as stored, its type, where it begins, and the fields as texts."""

    shape: tuple
    dtype: np.dtype
    offset: int
    spectrum: int
    fields: dict


def recognises(head, blob):
    """A header, a data file with its header beside it, or a zip archive of both."""
    if head.startswith(MAGIC) and blob.name.lower().endswith(".hdr"):
        return True
    if head.startswith(b"PK") and not blob.packed and not blob.is_folder:
        return b".hdr" in blob.tail(1 << 16).lower()
    return not blob.is_folder and not blob.packed and _header_beside(blob.path) is not None


def read(blob, limits, array=None, label=None):
    """The scene, mapped from its file where pixels or bands lie together, else line by line."""
    if isinstance(label, str):
        raise refuse(blob.name, f"has no part named {label!r}", "give the truth map as a file in the same folder, or as an array")
    header, path, values = _parts(blob, limits)
    scene = parse_header(header, blob.name, limits)
    size = path.stat().st_size if path is not None else len(values)
    expected = scene.offset + int(np.prod(scene.shape, dtype=np.int64)) * scene.dtype.itemsize
    if size != expected:
        what = f"has a header that promises {expected:,} bytes of data where there are {size:,}"
        raise refuse(blob.name, what, "take the header that belongs to the data")
    if path is not None:
        stored = np.memmap(path, scene.dtype, "r", scene.offset, scene.shape)
    else:
        stored = np.frombuffer(values, scene.dtype, offset=scene.offset).reshape(scene.shape)
    beside = _said(scene, blob.name)
    if scene.spectrum != 1:
        return Contents(array=stored, beside=beside)
    return _line_by_line(stored, path, scene, beside)


def _line_by_line(stored, path, scene, beside):
    """Lines of bands: blocks of pixels, a few lines at a time."""
    lines, bands, samples = scene.shape
    step = max(1, BLOCK_BYTES // max(1, bands * samples * scene.dtype.itemsize))
    native = scene.dtype.newbyteorder("=")

    def blocks():
        for first in range(0, lines, step):
            if path is None:
                part = stored[first : first + step]
            else:
                count, skipped = min(step, lines - first) * bands * samples, first * bands * samples * scene.dtype.itemsize
                part = np.fromfile(path, scene.dtype, count, offset=scene.offset + skipped).reshape(-1, bands, samples)
            yield np.moveaxis(part, 1, 2).reshape(-1, bands).astype(native, copy=False)

    why = f"A scene of {lines} × {samples} pixels and {bands} bands, as its header says."
    layout = Layout("cube", (lines, samples, bands), why, unit=beside.get("unit", ""), wavelengths=beside.get("wavelengths"))
    names = None
    if layout.wavelengths is not None:
        names = [f"{value:g} {layout.unit}".strip() for value in layout.wavelengths]
    return Contents(
        blocks=blocks, n_rows=lines * samples, n_columns=bands, dtype=native, layout=layout, beside=beside, feature_names=names
    )


def parse_header(text, name, limits) -> Scene:
    """The fields of a header, checked."""
    check_header(name, len(text), "header", limits)
    text = text.decode("latin-1")
    fields = {key.strip().lower(): value.strip() for key, value in re.findall(r"(?m)^([^\n=;{}]+)=\s*(\{[^}]*\}|[^\n]*)", text)}

    def number(key, default=None):
        value = fields.get(key, default)
        if value is None or not re.fullmatch(r"\d{1,15}", str(value)):
            raise refuse(name, f"is an ENVI header whose '{key}' is {one_line(value, 30)!r}", "give it a whole number")
        return int(value)

    lengths = {"l": number("lines"), "s": number("samples"), "b": number("bands")}
    kind, interleave = number("data type"), fields.get("interleave", "bsq").lower()
    if kind not in TYPES:
        raise refuse(name, f"holds ENVI data of type {kind}", "save real numbers (types 1 to 5 and 12 to 15)")
    if interleave not in ORDERS:
        raise refuse(name, f"has the interleave {one_line(interleave, 20)!r}", "save it as bsq, bil or bip")
    if min(lengths.values()) < 1:
        raise refuse(name, "declares a scene without pixels", "save or download it again")
    spectrum, order = ORDERS[interleave]
    shape = tuple(lengths[axis] for axis in order)
    check_cells(name, shape, limits)
    dtype = np.dtype((">" if number("byte order", 0) else "<") + TYPES[kind])
    return Scene(shape, dtype, number("header offset", 0), spectrum, fields)


def _said(scene, name):
    """Wavelengths, their unit, the value of empty pixels."""
    said, bands = {"spectrum": scene.spectrum}, scene.shape[scene.spectrum]
    listed = scene.fields.get("wavelength", "").strip("{} \n")
    if listed:
        try:
            said["wavelengths"] = np.array([float(value) for value in listed.split(",")])
        except ValueError:
            raise refuse(name, "has wavelengths in its header that are no numbers", "correct the header") from None
        if len(said["wavelengths"]) != bands:
            what = f"names {len(said['wavelengths'])} wavelengths in its header for {bands} bands"
            raise refuse(name, what, "take the header that belongs to the data")
        said["unit"] = {"nanometers": "nm", "micrometers": "µm"}.get(scene.fields.get("wavelength units", "").lower(), "")
    with suppress(KeyError, ValueError):
        said["background"] = float(scene.fields["data ignore value"])
    if bands == 1:
        said["single band"] = True
    return said


def _parts(blob, limits):
    """`(header, path of the data, None)`, or from a zip archive or memory `(header, None, data)`."""
    if blob.head(2) == b"PK":
        return _from_archive(blob, limits)
    if blob.path is None:
        raise refuse(
            blob.name, "is an ENVI header without its data", "give a zip archive of both, or the path with the data beside it"
        )
    if blob.head(len(MAGIC)) == MAGIC and blob.name.lower().endswith(".hdr"):
        stem = blob.path.with_suffix("")
        data = next((path for path in (stem.with_name(stem.name + end) for end in ENDINGS) if _is_plain(path)), None)
        if data is None:
            raise refuse(
                blob.name, "is an ENVI header and the data are not beside it", f"put {stem.name}.img or .dat in its folder"
            )
        return blob.head(LARGEST_HEADER), data, None
    header = _header_beside(blob.path)
    with open(header, "rb") as file:
        return file.read(LARGEST_HEADER), blob.path.resolve(), None


def _from_archive(blob, limits):
    with open_archive(blob, limits) as archive:
        names = [member for member in archive.infolist() if not member.is_dir()]
        headers = [member for member in names if member.filename.lower().endswith(".hdr")]
        stem = headers[0].filename[: -len(".hdr")]
        data = next(
            (m for m in names if m.filename not in (headers[0].filename,) and m.filename.removesuffix(_ending(m)) in (stem,)),
            None,
        )
        if data is None:
            raise refuse(
                blob.name, f"holds the ENVI header '{one_line(headers[0].filename, 40)}' without its data", "add the data"
            )
        return read_member(archive, headers[0], blob.name), None, read_member(archive, data, blob.name)


def _ending(member: zipfile.ZipInfo):
    return next((end for end in ENDINGS if end and member.filename.lower().endswith(end)), "")


def _header_beside(path):
    """The header of a data file: scene.hdr or scene.img.hdr for scene.img."""
    if path is None or path.suffix.lower() not in ENDINGS:
        return None
    for header in (path.with_suffix(".hdr"), path.with_name(path.name + ".hdr")):
        if _is_plain(header) and header != path:
            with open(header, "rb") as file:
                if file.read(len(MAGIC)) == MAGIC:
                    return header
    return None


def _is_plain(path):
    return path.is_file() and not path.is_symlink()


def companions(path):
    """The other file of the pair: a result depends on both."""
    if path.suffix.lower() == ".hdr":
        stem = path.with_suffix("")
        return [found for found in (stem.with_name(stem.name + end) for end in ENDINGS) if _is_plain(found)]
    header = _header_beside(path)
    return [] if header is None else [header]


FORMAT = Format("ENVI", (".hdr",), recognises, read, in_place=True, companions=companions, rank=-3)
