"""Child side of Matrix Market: scipy reads the text, a sparse matrix is left as the arrays of its rows."""

import io

from scipy.io import mmread
from threadpoolctl import threadpool_limits

from leasc_core.data.guards import Limits, refuse
from leasc_core.data.reading.isolated.confine import allow_memory, allow_work, confine, forbid_more_files
from leasc_core.data.reading.isolated.hdf5 import _save as save

WHAT = "Matrix Market"
SPARE_MEMORY = 96 << 20
# What a value takes while it is read, turned and written, in bytes.
BYTES_PER_VALUE = 64
TINY = b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n"


def extract(request):
    """Write X.npy, or data, indices and indptr of its CSR form, turned if that is asked."""
    mmread(io.BytesIO(TINY))  # scipy imports parts of itself when they are first needed; afterwards nothing more can be opened
    limits, shape = Limits(**request["limits"]), tuple(request["shape"])
    confine(SPARE_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    with open(request["path"], "rb") as file, threadpool_limits(1):
        outputs = {part: open(f"{part}.npy", "wb") for part in ("X", "data", "indices", "indptr")}  # noqa: SIM115 - closed below
        forbid_more_files()
        size = file.seek(0, 2)
        file.seek(0)
        allow_memory(SPARE_MEMORY + BYTES_PER_VALUE * (request["stored"] + sum(shape)) + 2 * size)
        allow_work(4 * size)
        matrix = mmread(file)
        if matrix.dtype.kind not in "biuf" or matrix.shape != shape:
            raise refuse(request["name"], f"holds values of type {matrix.dtype}", "save real numbers")
        if hasattr(matrix, "tocsr"):
            matrix = (matrix.T if request["turned"] else matrix).tocsr()
            for part in ("data", "indices", "indptr"):
                save(outputs[part], getattr(matrix, part))
        else:
            save(outputs["X"], matrix)
        for output in outputs.values():
            output.close()
    return {}
