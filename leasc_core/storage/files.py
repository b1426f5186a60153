"""Files that are there whole or not at all, never through a link: a temporary name, a sync, a rename; what to say if it fails."""

import errno
import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from ..errors import RunError

CHECKPOINTS = "checkpoints"


@contextmanager
def replacing(path):
    """A binary file to write to; ``path`` becomes it when the block ends well, and stays as it was when it does not."""
    path = Path(path)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def open_own(path, mode="rb", **settings):
    """``open`` for a file of a run: it must lie there itself, as a plain file with this one name, owned by whoever runs this.

    A link, a pipe or a second name of another file raises a `RunError` before anything is read, emptied or written.
    """
    path = Path(path)
    if path.parent.name == CHECKPOINTS and path.parent.is_symlink():
        raise _not_own(path.parent, "is a link to another folder")
    return open(path, mode, opener=partial(_open_itself, path), **settings)


def load_own_array(path):
    """A ``.npy`` file of a run, mapped, never through a link."""
    with open_own(path) as file:
        version = np.lib.format.read_magic(file)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, columns_first, dtype = read_header(file)
        if dtype.hasobject or os.fstat(file.fileno()).st_size < file.tell() + dtype.itemsize * int(np.prod(shape)):
            raise ValueError("its header does not fit its contents")
        order = "F" if columns_first else "C"
        return np.memmap(file, dtype, "r", file.tell(), shape, order) if np.prod(shape) else np.empty(shape, dtype)


def _open_itself(path, name, flags):
    """A descriptor of exactly that file; it is emptied, where that was asked, only once it is known to be the run's own."""
    safe = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(name, flags & ~os.O_TRUNC | safe, 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            raise _not_own(path, "is a link or a pipe") from None
        raise
    about = os.fstat(handle)
    foreign = hasattr(os, "geteuid") and about.st_uid != os.geteuid()
    writes = flags & (os.O_WRONLY | os.O_RDWR)
    if not stat.S_ISREG(about.st_mode) or (writes and (about.st_nlink > 1 or foreign)):
        os.close(handle)
        raise _not_own(path, "is not the run's own file")
    if flags & os.O_TRUNC:
        os.ftruncate(handle, 0)
    return handle


def _not_own(path, what):
    return RunError(f"{path} {what}, and what it leads to is not part of the run; remove it and resume, or start a new run.")


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
