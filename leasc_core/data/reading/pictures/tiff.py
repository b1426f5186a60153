"""TIFF and GeoTIFF scenes: pixels are the rows, bands the columns; read in a child process."""

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import refuse
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.isolated import read_isolated

MAGICS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


def recognises(head, blob):
    return head.startswith(MAGICS)


def read(blob, limits, array=None, label=None):
    """The scene (rows, columns, bands); pixels of the file's own empty value are background."""
    if isinstance(label, str):
        raise refuse(blob.name, f"has no part named {label!r}", "give the truth map as a file in the same folder, or as an array")
    about, files = read_isolated("tiff", blob, limits)
    array = files["X"]
    single = array.ndim == 2 or array.shape[-1] == 1
    beside = {"single band": True} if single else {"spectrum": 2}
    if about["background"] is not None:
        beside["background"] = about["background"]
    return Contents(array=array, beside=beside)


FORMAT = Format("TIFF", (".tif", ".tiff"), recognises, read)
