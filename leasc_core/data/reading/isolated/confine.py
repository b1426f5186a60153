"""A fence around the current process: address space, processor time, open files, size of what it writes."""

import codecs
import os
import signal
from functools import cache

try:
    import resource
except ImportError:  # Windows knows no such limits; the parent's clock still runs
    resource = None

PAGE = resource.getpagesize() if resource else 0
BYTES_PER_SECOND = 16 << 20
TEXTS = ("ascii", "latin-1", "utf-8", "utf-16", "idna")


def confine(memory, ceiling, output):
    """Allow `memory` more bytes now, at most `ceiling` later, and files of at most `output` bytes."""
    if resource is None:
        return
    used = _address_space()
    if used:
        resource.setrlimit(resource.RLIMIT_AS, (used + min(memory, ceiling), used + ceiling))
    resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
    allow_work(0)


def allow_memory(memory):
    """Raise the fence to `memory` bytes more than are in use, as far as the ceiling lets it."""
    used = _address_space() if resource else 0
    if not used:
        return
    _, ceiling = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (min(used + memory, ceiling), ceiling))


def forbid_more_files():
    """Let this process open nothing any more, whatever a parser asks for: what it needs is open already."""
    for encoding in TEXTS:  # Python loads these when they are first needed
        codecs.lookup(encoding)
    if resource is not None:
        first_free = os.dup(0)
        os.close(first_free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (first_free, first_free))


def allow_work(size):
    """Allow one second of processor time, and more for `size` bytes; then SIGPROF ends the process."""
    if resource is not None:
        signal.setitimer(signal.ITIMER_PROF, 1.0 + size / BYTES_PER_SECOND)


def _address_space():
    """Bytes mapped now; 0 where the system does not say (then only time and files are fenced)."""
    try:
        file = _own_size()
        file.seek(0)
        return int(file.read().split()[0]) * PAGE
    except OSError:
        return 0


@cache
def _own_size():
    """Where Linux says how large this process is; kept open, because later nothing more may be opened."""
    return open("/proc/self/statm")  # noqa: SIM115 - it lives as long as the process
