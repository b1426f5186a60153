"""Child side of TIFF and GeoTIFF: tifffile reads the first series of pages, whatever it is packed with that needs no plug-in."""

import io

import numpy as np
import tifffile

from leasc_core.data.guards import Limits, check_cells, check_dtype, check_expansion, check_members, refuse
from leasc_core.data.reading.isolated.confine import allow_memory, allow_work, confine, forbid_more_files

WHAT = "TIFF"
SPARE_MEMORY = 192 << 20
NODATA = 42113


def extract(request):
    """Write the pages as one array with the bands last; the answer says which value marks empty pixels."""
    limits, name = Limits(**request["limits"]), request["name"]
    confine(SPARE_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    with open(request["path"], "rb") as file, open("X.npy", "wb") as out:
        _load_everything()
        forbid_more_files()
        size = file.seek(0, 2)
        file.seek(0)
        with tifffile.TiffFile(file, name="file.tif", is_ome=False) as tiff:
            check_members(name, len(tiff.pages), limits)
            series = tiff.series[0]
            axes, shape = series.axes, tuple(int(length) for length in series.shape)
            check_dtype(name, np.dtype(series.dtype))
            cells = check_cells(name, shape, limits)
            check_expansion(name, size, cells * series.dtype.itemsize, limits)
            if "Y" not in axes or "X" not in axes or len(shape) > 3:
                raise refuse(name, f"holds pages of the axes {axes}", "save one scene with its bands as pages or samples")
            allow_memory(SPARE_MEMORY + 4 * cells * series.dtype.itemsize)
            allow_work(4 * cells * series.dtype.itemsize)
            values = _values(series, name)
            nodata = tiff.pages[0].tags.get(NODATA)
        if len(shape) == 3:
            values = np.moveaxis(values, next(at for at, axis in enumerate(axes) if axis not in "YX"), -1)
        values = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="), copy=False))
        said = {"descr": np.lib.format.dtype_to_descr(values.dtype), "fortran_order": False, "shape": values.shape}
        np.lib.format.write_array_header_2_0(out, said)
        out.write(values.data)
    return {"background": _number(nodata.value if nodata is not None else None)}


def _load_everything():
    """tifffile imports parts of itself when they are first needed; afterwards nothing more can be opened."""
    tiny = io.BytesIO()
    tifffile.imwrite(tiny, np.zeros((32, 32, 3), np.uint8), compression="zlib", tile=(16, 16), photometric="rgb")
    tifffile.imread(io.BytesIO(tiny.getvalue()), maxworkers=1)


def _values(series, name):
    try:
        return series.asarray(maxworkers=1)
    except ValueError as error:
        if "imagecodecs" in str(error):
            raise refuse(name, "is packed in a way not known here", "save it without compression or with deflate") from None
        raise


def _number(text):
    try:
        return float(str(text).strip("\0 "))
    except ValueError:
        return None
