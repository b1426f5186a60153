"""Files that belong to a file and lie in its folder: the truth map of a cube, the picture behind tracks."""

import os
import re
from pathlib import Path

import numpy as np

from leasc_core.data.guards import Limits, parsing, refuse
from leasc_core.data.labels import Labels

TRUTH_ENDINGS = ("_gt", "_truth", "_groundtruth", "_ground_truth", "_labels", "_gnd")
TRUTH_FILES = (".mat", ".npy", ".hdr", ".tif", ".tiff", ".h5")
# What is said of a cube in its name and not in its truth's: salinas_corrected.mat and salinas_gt.mat.
VERSIONS = ("_corrected", "_cube", "_image", "_reflectance", "_data")
SEQUENCE = re.compile(r"(_truth|_g\d+)+$")
LARGEST_PICTURE = Limits(bytes=32 << 20)


def truth_beside(path) -> Path | None:
    """The truth map of a cube, found by its name."""
    if path is None or not path.is_file():
        return None
    stems = [path.stem] + [path.stem[: -len(v)] for v in VERSIONS if path.stem.lower().endswith(v)]
    names = (path.with_name(stem + end + suffix) for stem in stems for end in TRUTH_ENDINGS for suffix in TRUTH_FILES)
    return next((name for name in names if _is_plain_file(name)), None)


def picture_beside(path) -> Path | None:
    """The frame behind tracks: scene.jpg for scene_truth.mat and its sub-sequences scene_g12_truth.mat."""
    if path is None or not path.is_file():
        return None
    stems = dict.fromkeys([path.stem, SEQUENCE.sub("", path.stem)])
    names = (path.with_name(stem + suffix) for stem in stems for suffix in (".jpg", ".png", ".jpeg"))
    return next((name for name in names if _is_plain_file(name)), None)


def companions(path) -> list:
    """What a result may depend on besides the file itself."""
    return [found for found in (truth_beside(path), picture_beside(path)) if found is not None]


def asked_truth(blob, label, limits):
    """The map in a file given as `label`: a path, or the name of a file in the same folder; any other label as it is."""
    if isinstance(label, os.PathLike):
        return read_map(Path(label), limits)
    if isinstance(label, str) and blob.path is not None and label.lower().endswith(TRUTH_FILES):
        beside = blob.path.with_name(label) if Path(label).name == label else None
        if beside is not None and _is_plain_file(beside):
            return read_map(beside, limits)
    return label


def read_map(path, limits) -> np.ndarray:
    """The one map of labels in a file: a vector or two axes of whole numbers."""
    from leasc_core.data.gather import gather_in_memory
    from leasc_core.data.reading import read_contents
    from leasc_core.data.reading.blobs import open_blob

    blob = open_blob(path, None, limits)
    contents, _ = read_contents(blob, limits, label=False, beside=False)
    values = gather_in_memory(contents, blob.name, limits)
    if contents.layout is not None and contents.layout.kind == "cube":
        values = values.reshape(contents.layout.shape)
    values = values[..., 0] if values.ndim == 3 and values.shape[-1] == 1 else values
    if values.ndim > 2:
        raise refuse(blob.name, f"holds an array of {values.ndim} axes", "give a map of one class for each pixel as the truth")
    return values


def add_truth(contents, blob, limits):
    """Labels of a cube from the truth map in its folder, if there is one."""
    path = truth_beside(blob.path)
    if path is not None:
        contents.labels = Labels(blob.name, f"the map in {path.name}", certain=False)
        contents.labels.add_numbers(read_map(path, limits))
        contents.notes.append(f"truth map found beside it: {path.name}")


def add_picture(contents, blob):
    """The frame that tracks were seen in, from the same folder."""
    from leasc_core.data.reading.blobs import open_blob
    from leasc_core.data.reading.pictures.images import decode

    path = picture_beside(blob.path)
    if path is not None:
        with parsing(path.name, "picture"):
            data = open_blob(path, None, LARGEST_PICTURE)
            contents.beside["picture"] = decode(data.path.read_bytes(), path.name, blob.name).astype(np.uint8)
        contents.notes.append(f"frame picture found beside it: {path.name}")


def _is_plain_file(path):
    return path.is_file() and not path.is_symlink()
