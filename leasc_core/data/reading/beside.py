"""Files that belong to a file and lie in its folder: the truth map of a cube, the picture behind tracks."""

import os
import re
from itertools import islice
from pathlib import Path

import numpy as np

from leasc_core.data.guards import Limits, parsing
from leasc_core.data.reading.blobs import open_blob
from leasc_core.data.reading.pictures.images import decode

TRUTH_ENDINGS = ("_gt", "_truth", "_groundtruth", "_ground_truth", "_labels", "_gnd")
TRUTH_FILES = (".mat", ".npy", ".hdr", ".tif", ".tiff", ".h5")
# What is said of a cube in its name and not in its truth's: salinas_corrected.mat and salinas_gt.mat.
VERSIONS = ("_corrected", "_cube", "_image", "_reflectance", "_data")
# Words for samples in the name of a file, and those for their labels.
OF_LABELS = {"x": ("y",), "fea": ("gnd",)} | dict.fromkeys(
    ("images", "imgs", "features", "feats", "data", "vectors"), ("labels", "y")
)
WORDS = re.compile(r"([ _.-]+)")
SEQUENCE = re.compile(r"(_truth|_g\d+)+$")
MOST_BESIDE = 10_000
LARGEST_PICTURE = Limits(bytes=32 << 20)


def truth_beside(path) -> Path | None:
    """The truth map of a cube, found by its name."""
    if path is None or not path.is_file():
        return None
    stem = path.stem.lower()
    stems = [stem] + [stem[: -len(version)] for version in VERSIONS if stem.endswith(version)]
    if not os.access(path.parent, os.R_OK):
        return None
    there = {found.name.lower(): found for found in islice(path.parent.iterdir(), MOST_BESIDE)}
    names = (stem + end + suffix for stem in stems for end in TRUTH_ENDINGS for suffix in TRUTH_FILES)
    return next((there[name] for name in names if name in there and is_plain_file(there[name])), None)


def picture_beside(path) -> Path | None:
    """The frame behind tracks: scene.jpg for scene_truth.mat and its sub-sequences scene_g12_truth.mat."""
    if path is None or not path.is_file():
        return None
    stems = dict.fromkeys([path.stem, SEQUENCE.sub("", path.stem)])
    names = (path.with_name(stem + suffix) for stem in stems for suffix in (".jpg", ".png", ".jpeg"))
    return next((name for name in names if is_plain_file(name)), None)


def labels_beside(path) -> Path | None:
    """The file of labels beside one of samples, where one word of its name is another: y_train.npy beside X_train.npy."""
    if path is None or not path.is_file() or path.suffix.lower() != ".npy" or not os.access(path.parent, os.R_OK):
        return None
    words = WORDS.split(path.stem.lower())
    wanted = {
        "".join([*words[:at], other, *words[at + 1 :]]) + ".npy"
        for at, word in enumerate(words)
        for of, others in OF_LABELS.items()
        for other in others
        if word == of
    }
    there = {found.name.lower(): found for found in islice(path.parent.iterdir(), MOST_BESIDE)}
    return next((there[name] for name in sorted(wanted) if name in there and is_plain_file(there[name])), None)


def companions(path) -> list:
    """What a result may depend on besides the file itself."""
    return [found for found in (truth_beside(path), picture_beside(path), labels_beside(path)) if found is not None]


def add_picture(contents, blob):
    """The frame that tracks were seen in, from the same folder."""
    path = picture_beside(blob.path)
    if path is not None:
        with parsing(path.name, "picture"):
            data = open_blob(path, None, LARGEST_PICTURE)
            contents.beside["picture"] = decode(data.path.read_bytes(), path.name, blob.name).astype(np.uint8)
        contents.notes.append(f"frame picture found beside it: {path.name}")


def is_plain_file(path) -> bool:
    """A file itself, not a link to one."""
    return path.is_file() and not path.is_symlink()
