"""Risky parsers kept at arm's length: a child process reads the file and leaves plain .npy arrays behind."""

import json
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np

from leasc_core.data.guards import refuse
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.reading.isolated.nursery import NURSERY
from leasc_core.data.sources.folders import cache_folder
from leasc_core.errors import DataError

STARTING_SECONDS = 30.0
BYTES_PER_SECOND = 4 << 20


def read_isolated(parser, blob, limits, **request):
    """Let a child process read `blob`.

    Parameters
    ----------
    parser : "matlab5", "hdf5", …, the module of this package that the child runs.
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
        about = _run_child(request, folder, blob, limits)
        files = sorted(file for file in Path(folder).glob("*.npy") if file.stat().st_size)
        return about, {file.stem: np.asarray(mapped_array(Blob(blob.name, path=file), limits)) for file in files}


@contextmanager
def stream_isolated(parser, blob, limits, **request):
    """What a child process writes to its standard output while it reads `blob`; a `DataError` where it fails on the way."""
    with blob.on_disk() as path, tempfile.TemporaryDirectory(prefix="making-", ignore_cleanup_errors=True) as folder:
        request = {"parser": parser, "path": str(path), "name": blob.name, "limits": asdict(limits)} | request
        child = NURSERY.begin(folder, request)
        try:
            yield child.stdout
            _refuse_failure(child, folder, blob)
        except GeneratorExit:
            raise
        except Exception:
            # A stream that breaks off is broken off for a reason, which the child has left.
            _refuse_failure(child, folder, blob)
            raise
        finally:
            child.end()


def _run_child(request, folder, blob, limits):
    seconds = min(limits.seconds, STARTING_SECONDS + blob.size / BYTES_PER_SECOND)
    child = NURSERY.begin(folder, request)
    try:
        return _refuse_failure(child, folder, blob, seconds)
    except subprocess.TimeoutExpired:
        raise refuse(blob.name, f"took more than {seconds:.0f} s to read", "save it as .npy") from None
    finally:
        child.end()


def _refuse_failure(child, folder, blob, seconds=STARTING_SECONDS):
    """The answer of a child, once it has ended; a `DataError` where it refuses, or was ended."""
    code = child.wait(seconds)
    if code == -getattr(signal, "SIGPROF", 0):
        raise refuse(
            blob.name,
            "keeps its parser busy for too long",
            "it is damaged: save it again, as .npy if you can",
        )
    if code != 0 or not (Path(folder) / "about.json").exists():
        what = f"made its parser stop (code {code})"
        raise refuse(blob.name, what, "it is damaged or too large: save it again, as .npy if you can")
    about = json.loads((Path(folder) / "about.json").read_text("utf-8"))
    if "error" in about:
        raise DataError(about["error"])
    return about
