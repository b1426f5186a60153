"""Child side of MATLAB v5 to v7: scipy reads the chosen variables, sparse ones become dense."""

import numpy as np
from scipy.io import loadmat

from leasc_core.data.guards import Limits
from leasc_core.data.reading.isolated.confine import allow_memory, allow_work, confine

WHAT = "MATLAB"
SPARE_MEMORY = 96 << 20


def extract(request):
    """Write each variable of `request["variables"]` (file stem -> variable name) to its .npy file."""
    limits = Limits(**request["limits"])
    confine(SPARE_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    allow_memory(SPARE_MEMORY + 4 * request["bytes"])
    allow_work(request["bytes"])
    names = list(request["variables"].values())
    found = loadmat(request["path"], variable_names=names, verify_compressed_data_integrity=True)
    for stem, name in request["variables"].items():
        values = found[name]
        values = values.toarray() if hasattr(values, "toarray") else values
        np.save(f"{stem}.npy", values, allow_pickle=False)
    return {}
