"""What the makers of bad files share: the case itself, the canary, and bombs that are cheap to build."""

import gzip
import io
import os
import pickle
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

CANARY = "canary-has-run"
# What no file may lead to: made by whoever loads the files, who also looks whether it was read.
OUTSIDE = Path(tempfile.gettempdir()) / f"leasc-outside-{os.getpid()}"
OUTSIDE_FILE = OUTSIDE / "numbers.h5"
GOOD = np.arange(24.0).reshape(8, 3)


@dataclass(frozen=True)
class Case:
    """One bad file.

    `make(folder)` returns bytes to be loaded under `name`, or writes something and returns its path.
    """

    id: str
    name: str
    make: Callable
    options: dict = field(default_factory=dict)


class Cases(list):
    """A list of cases of one format, each added in one line."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def add(self, what, name, body, **options):
        """`body`: bytes, or a function of the folder."""
        make = body if callable(body) else lambda folder: body
        self.append(Case(f"{self.kind}: {what}", name, make, options))

    def add_cuts(self, name, body, ends, what="file"):
        """The same file cut off at fractions of its length."""
        for end in ends:
            self.add(f"{what} cut at {end:.0%}", name, body[: int(len(body) * end)])


class Canary:
    """Unpickling it leaves a file behind: the one thing that must never happen."""

    def __reduce__(self):
        return os.system, (f"touch {Path(os.environ.get('LEASC_CANARY', CANARY))}",)


def pickled(thing=None):
    """Bytes of a pickle that runs code."""
    return pickle.dumps(Canary() if thing is None else thing)


def object_array():
    """An array of type object that holds the canary."""
    values = np.empty((4, 3), dtype=object)
    values[:] = Canary()
    return values


def npy(array, allow_pickle=False):
    """The bytes `numpy.save` writes."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=allow_pickle)
    return buffer.getvalue()


def raw_npy(header, data=b"", version=(1, 0), length=None):
    """A .npy with any header text, version and declared length."""
    width = 2 if version[0] == 1 else 4
    size = len(header) if length is None else length
    return b"\x93NUMPY" + bytes(version) + size.to_bytes(width, "little") + header + data


def archive(members, packing=zipfile.ZIP_DEFLATED):
    """A zip archive of `(name or ZipInfo, bytes)` pairs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as file:
        for name, data in members:
            file.writestr(name, data)
    return buffer.getvalue()


def deflated_zeros(megabytes):
    """A raw deflate stream of that many zero megabytes, built from one repeated block."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(b"\0" * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * megabytes + packer.flush(zlib.Z_FINISH)


def gzip_bomb(megabytes, start=b"", honest=True):
    """A gzip file that unpacks to `start` and then zeros; a dishonest one hides its unpacked length."""
    first = gzip.compress(start) if start else b""
    size = (megabytes << 20) if honest else 100
    return first + b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + deflated_zeros(megabytes) + b"\0" * 4 + size.to_bytes(4, "little")


def zip_bomb(name, megabytes, start=b""):
    """A zip archive with one member of zeros behind `start` bytes, honest about its size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH) + deflated_zeros(megabytes)
    size = len(start) + (megabytes << 20)
    fields = (20).to_bytes(2, "little") + b"\0\0\x08\0" + b"\0" * 8
    sizes = len(data).to_bytes(4, "little") + size.to_bytes(4, "little")
    length = len(name).to_bytes(2, "little")
    local = b"PK\x03\x04" + fields + sizes + length + b"\0\0" + name.encode()
    central = b"PK\x01\x02" + (20).to_bytes(2, "little") + fields + sizes + length + b"\0" * 12 + b"\0" * 4 + name.encode()
    at = (len(local) + len(data)).to_bytes(4, "little")
    end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0" + len(central).to_bytes(4, "little") + at + b"\0\0"
    return local + data + central + end


def rewritten(body, old, new, count=-1):
    """`body` with some bytes replaced; they must be there."""
    assert old in body
    return body.replace(old, new, count)


def flipped(body, start, stop, step=7):
    """`body` with every `step`-th byte between `start` and `stop` inverted."""
    changed = bytearray(body)
    for at in range(start, min(stop, len(body)), step):
        changed[at] ^= 0xFF
    return bytes(changed)
