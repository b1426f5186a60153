"""Files that are there whole or not at all: a temporary name, a sync, a rename; and what to say when writing fails."""

import errno
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

from ..errors import RunError


@contextmanager
def replacing(path):
    """A binary file to write to; ``path`` becomes it when the block ends well, and stays as it was when it does not."""
    path = Path(path)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _umask():
    """What this process lets others do with its files (it can only be read by setting it)."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def writing(path):
    """Around writes to ``path``: a full disk, a read-only folder and the like become one sentence with a remedy."""
    try:
        yield
    except OSError as error:
        raise RunError(f"{Path(path).name} cannot be written: {_reason(error, Path(path).parent)}.") from error


def _reason(error, folder):
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk of {folder} is full ({_free(folder)}); free some space and resume, nothing is lost"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{folder} does not allow writing; choose another folder or change its permissions"
    return f"{error.strerror or error} in {folder}; put that right and resume"


def _free(folder):
    try:
        return f"{shutil.disk_usage(folder).free / 1e6:,.0f} MB free"
    except OSError:
        return "free space unknown"
