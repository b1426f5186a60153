"""MATLAB v7.3: HDF5 behind a MATLAB header, with the axes in MATLAB's order."""

from functools import partial

from leasc_core.data.reading.arrays import hdf5
from leasc_core.data.reading.format import Format, is_hdf5

HEADER = b"MATLAB 7.3"


def recognises(head, blob):
    return head.startswith(HEADER) and is_hdf5(head)


def read(blob, limits, array=None, label=None):
    """The proposed (or asked) variable and its labels."""
    return hdf5.read_datasets(blob, limits, array, label, matlab=True)


FORMAT = Format("MATLAB", (".mat",), recognises, read, arrays=partial(hdf5.arrays, matlab=True), rank=-1)
