"""Risky parsers kept at arm's length: a child process reads the file and leaves plain .npy arrays behind."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

import leasc_core
from leasc_core.data.guards import refuse
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.sources.folders import cache_folder
from leasc_core.errors import DataError

STARTING_SECONDS = 30.0
BYTES_PER_SECOND = 4 << 20


def read_isolated(parser, blob, limits, **request):
    """Let a child process read `blob`.

    Parameters
    ----------
    parser : "matlab5" or "hdf5", the module of this package that the child runs.
    request : plain values handed to that module.

    Returns
    -------
    about : dict that the parser wrote
    arrays : dict of the arrays it left, large ones mapped from a file that has no name any more
    """
    from leasc_core.data.reading.arrays.npy import MAPPED_ABOVE, mapped_array

    roomy = cache_folder() if blob.size > MAPPED_ABOVE else None
    if roomy is not None:
        roomy.mkdir(parents=True, exist_ok=True)
    with (
        blob.on_disk() as path,
        tempfile.TemporaryDirectory(prefix="making-", dir=roomy, ignore_cleanup_errors=True) as folder,
    ):
        request = {"parser": parser, "path": str(path), "name": blob.name, "limits": asdict(limits)} | request
        _run_child(request, folder, blob, limits)
        about = json.loads((Path(folder) / "about.json").read_text("utf-8"))
        if "error" in about:
            raise DataError(about["error"])
        files = sorted(file for file in Path(folder).glob("*.npy") if file.stat().st_size)
        return about, {file.stem: np.asarray(mapped_array(Blob(blob.name, path=file), limits)) for file in files}


def _run_child(request, folder, blob, limits):
    seconds = min(limits.seconds, STARTING_SECONDS + blob.size / BYTES_PER_SECOND)
    try:
        process = subprocess.run(
            [sys.executable, "-P", "-m", "leasc_core.data.reading.isolated"],
            input=json.dumps(request).encode(),
            cwd=folder,
            env=_environment(),
            timeout=seconds,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise refuse(blob.name, f"took more than {seconds:.0f} s to read", "save it as .npy") from None
    if process.returncode == -getattr(signal, "SIGPROF", 0):
        raise refuse(
            blob.name,
            "keeps its parser busy for too long",
            "it is damaged: save it again, as .npy if you can",
        )
    if process.returncode != 0 or not (Path(folder) / "about.json").exists():
        what = f"made its parser stop (code {process.returncode})"
        raise refuse(blob.name, what, "it is damaged or too large: save it again, as .npy if you can")


def _environment():
    """What the child needs to find Python and us, and nothing else; HDF5 may load no plug-ins."""
    kept = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    return {key: os.environ[key] for key in kept if key in os.environ} | {
        "PYTHONPATH": str(Path(leasc_core.__file__).resolve().parents[1]),
        "HDF5_PLUGIN_PRELOAD": "::",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
