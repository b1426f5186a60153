"""NumPy's .npz: several .npy arrays in a zip archive."""

from leasc_core.data.dataset import Contents
from leasc_core.data.gather import refuse_beyond_memory
from leasc_core.data.guards import check_dtype, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.archives import open_archive, open_member
from leasc_core.data.reading.arrays.npy import MAPPED_ABOVE, blocks_of_stream, read_header, whole_array
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.roles import ArrayInfo, propose

WAVELENGTHS = "wavelengths"


def recognises(head, blob):
    """A zip archive whose first member is a .npy, or that is called .npz."""
    first = head[30 : 30 + int.from_bytes(head[26:28], "little")]
    return head.startswith(b"PK") and (first.endswith(b".npy") or blob.name.lower().endswith(".npz"))


def arrays(blob, limits):
    """The arrays by their headers; objects and records are listed as "not numeric"."""
    with open_archive(blob, limits) as archive:
        return [_info(archive, member, blob.name, limits) for member in _members(archive)]


def read(blob, limits, array=None, label=None):
    """The proposed (or asked) array and its labels."""
    with open_archive(blob, limits) as archive:
        members = {_array_name(member): member for member in _members(archive)}
        found = [_info(archive, member, blob.name, limits) for member in members.values()]
        if array is None:
            _refuse_objects(found, blob.name)
        found, data, labels = propose(found, blob.name, array, label)
        contents = Contents(arrays=found)
        if labels is not None:
            contents.labels = _labels(archive, members[labels.name], labels.name, blob.name, label, limits)
        with open_member(archive, members[data.name], blob.name) as stream:
            shape, fortran, dtype, _ = read_header(stream, blob.name, limits)
            check_dtype(blob.name, dtype)
        if len(shape) == 3 and WAVELENGTHS in members:
            with open_member(archive, members[WAVELENGTHS], blob.name) as stream:
                wavelengths = whole_array(stream, f"{blob.name}/{WAVELENGTHS}.npy", limits)
            if wavelengths.ndim == 1 and len(wavelengths) in shape and wavelengths.dtype.kind in "iuf":
                unit = "nm" if 100 <= wavelengths.min() <= wavelengths.max() <= 30_000 else ""
                contents.beside |= {"wavelengths": wavelengths.astype(float), "unit": unit}
        if len(shape) != 2 or fortran or members[data.name].file_size <= MAPPED_ABOVE:
            refuse_beyond_memory(blob.name, members[data.name].file_size)
            with open_member(archive, members[data.name], blob.name) as stream:
                contents.array = whole_array(stream, blob.name, limits)
            return contents
    contents.n_rows, contents.n_columns, contents.dtype = *shape, dtype.newbyteorder("=")
    contents.blocks = blocks_of_stream(lambda: _Member(blob, members[data.name], limits), blob.name, shape, dtype, limits)
    return contents


class _Member:
    """One member as a stream that closes its archive with itself."""

    def __init__(self, blob, member, limits):
        self.archive = open_archive(blob, limits)
        self.stream = open_member(self.archive, member, blob.name)

    def __enter__(self):
        return self.stream

    def __exit__(self, *error):
        self.stream.close()
        self.archive.close()


def _members(archive):
    return [member for member in archive.infolist() if member.filename.endswith(".npy")]


def _array_name(member):
    return member.filename[: -len(".npy")]


def _info(archive, member, name, limits):
    place = f"{name}/{member.filename}"
    with open_member(archive, member, name) as stream:
        shape, _, dtype, _ = read_header(stream, place, limits)
    kind = "objects" if dtype.hasobject else "text" if dtype.kind in "US" else str(dtype)
    numeric = dtype.kind in "biuf" and dtype.itemsize <= 8
    return ArrayInfo(_array_name(member), tuple(shape), kind, "" if numeric else "not numeric")


def _refuse_objects(found, name):
    objects = [info.name for info in found if info.dtype == "objects"]
    if objects:
        what = f"holds Python objects (a pickle) in '{objects[0]}', which could run code when opened"
        raise refuse(name, what, "save it without them, or name the array to read with array=")


def _labels(archive, member, array_name, name, label, limits):
    with open_member(archive, member, name) as stream:
        values = whole_array(stream, f"{name}/{member.filename}", limits)
    labels = Labels(name, f"'{array_name}'", certain=isinstance(label, str))
    labels.add(values)
    return labels


FORMAT = Format("NumPy archive", (".npz",), recognises, read, arrays=arrays)
