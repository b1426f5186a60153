"""Which array in a container holds the samples and which the labels, judged by names and shapes alone."""

import re
from typing import NamedTuple

from leasc_core.data.guards import one_line, refuse

DATA_WORDS = ("fea", "x", "data", "features", "feats", "samples", "images", "points")
LABEL_WORDS = (
    *("gnd", "labels", "label", "y", "targets", "target", "classes", "class", "gt", "truth", "groundtruth", "groundt"),
    *("truelabel", "truelabels", "classlabel", "classlabels", "cls", "lab", "labs", "map", "s"),
)
TEXTS = ("text", "cell")


class ArrayInfo(NamedTuple):
    """One array of a container; `role` is "data", "labels", "" or, when it cannot be used, "not numeric"."""

    name: str
    shape: tuple
    dtype: str
    role: str = ""


def propose(arrays, file_name, array=None, label=None):
    """Choose the data array and the label array.

    Parameters
    ----------
    arrays : list of ArrayInfo, role "not numeric" for those that hold no real numbers.
    array, label : names the user asked for; `label=False` means no labels.

    Returns
    -------
    arrays : the same list with roles filled in
    data, labels : ArrayInfo, and ArrayInfo or None
    """
    by_name = {info.name: info for info in arrays}
    data = _asked(by_name, array, file_name, "array") if array is not None else _best_data(arrays, file_name)
    if isinstance(label, str):
        labels = _asked(by_name, label, file_name, "label array")
    else:
        labels = None if label is False else _best_labels(arrays, data)
    roles = {data.name: "data"} | ({labels.name: "labels"} if labels else {})
    return [info._replace(role=roles.get(info.name, info.role)) for info in arrays], data, labels


def _asked(by_name, name, file_name, what):
    if name not in by_name:
        present = ", ".join(sorted(by_name)[:8]) or "none"
        raise refuse(file_name, f"has no {what} named '{one_line(name, 40)}'", f"choose one of: {present}")
    info = by_name[name]
    if info.role == "not numeric" and not (what == "label array" and info.dtype in TEXTS):
        what = f"'{one_line(name, 40)}' holds no plain numbers ({info.dtype})"
        raise refuse(file_name, what, "choose another array")
    return info


def _best_data(arrays, file_name):
    numeric = [info for info in arrays if info.role != "not numeric"]
    if not numeric:
        found = ", ".join(f"{info.name} ({info.dtype})" for info in arrays[:5])
        what = f"holds no numeric array, only {found}" if found else "holds no array at all"
        raise refuse(file_name, what, "save the samples as a plain matrix of real numbers")
    tables = [info for info in numeric if sum(length != 1 for length in info.shape) >= 2]
    return max(tables or numeric, key=lambda info: (_rank(info.name, DATA_WORDS), _size(info)))


def _best_labels(arrays, data):
    """Of the arrays with a value (or a row of 0 and one 1) for each sample the one best named, or the only one there is."""

    def fits(info):
        usable = info.role != "not numeric" or info.dtype in TEXTS
        return info.name != data.name and usable and _matches(info, data.shape)

    fitting = [info for info in arrays if fits(info)]
    named = [info for info in fitting if named_as_labels(info.name)]
    alone = [info for info in fitting if _is_list(info) and info.role != "not numeric"]
    suited = [(_same_stem(info.name, data.name), _is_list(info), _rank(info.name, LABEL_WORDS)) for info in named]
    return named[suited.index(max(suited))] if named else alone[0] if len(alone) == 1 else None


def named_as_labels(name) -> bool:
    """Does an array's name say that it holds labels?"""
    return _rank(name, LABEL_WORDS) > 0


def _is_list(info):
    return sum(length != 1 for length in info.shape) <= 1


def _matches(info, shape):
    """Has it one value for each sample: for each row or column, each point of tracks, or each pixel of a cube?

    A table may be one of classes: a row for each sample that says its class by a 1.
    """
    if info.dtype == "text" and len(info.shape) == 2 and min(info.shape) > 1:  # letters of a text beside each other
        info = info._replace(shape=info.shape[:1])
    if len(info.shape) == 2 and not _is_list(info):
        if len(shape) == 3 and tuple(info.shape) in (shape[:2], shape[1:], (shape[0], shape[2])):
            return True
        ends = {shape[0], shape[-1]}
        return any(samples in ends and 2 <= classes <= samples for samples, classes in (info.shape, info.shape[::-1]))
    if not _is_list(info) or len(info.shape) not in (1, 2):
        return False
    is_tracks = len(shape) == 3 and (shape[0] in (2, 3) or shape[2] == 2)
    pixels = [_product(shape) // length for length in (shape[0], shape[2])] if len(shape) == 3 and min(shape) > 0 else []
    return _size(info) in (shape[0], shape[-1], *(shape[1:2] if is_tracks else ()), *pixels)


def _product(shape):
    return _size(ArrayInfo("", shape, ""))


def _size(info):
    size = 1
    for length in info.shape:
        size *= length
    return size


def _words(name):
    """The words of a name: x_train, gndX, trainLabels and Xtest all come apart."""
    last = name.rsplit("/", 1)[-1]
    words = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", last)
    joined = re.compile(r"(x|y)(train|test|val)")
    apart = [joined.fullmatch(word.lower()) for word in words]
    return [part for word, match in zip(words, apart, strict=True) for part in (match.groups() if match else (word.lower(),))]


def _rank(name, vocabulary):
    """Higher for words earlier in the vocabulary, 0 for none of them; training parts before test parts."""
    words = _words(name)
    ranks = [len(vocabulary) - vocabulary.index(word) for word in [*words, "".join(words)] if word in vocabulary]
    return max(ranks, default=0) + (0.5 if ranks and "train" in words else 0)


def _same_stem(labels, data):
    """Do a label name and a data name belong together, as y_train with x_train and gndX with X do?"""
    label_rest = [word for word in _words(labels) if word not in LABEL_WORDS]
    data_words = _words(data)
    return label_rest in (data_words, [word for word in data_words if word not in DATA_WORDS])
