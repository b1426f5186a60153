"""What the operating system lets one job take: memory and processor time, so a wrong estimate ends the job and nothing else."""

import os
import signal
import sys

try:
    import resource
except ImportError:  # Windows knows no such limits
    resource = None

MEMORY, HOURS = "LEASC_JOB_MEMORY", "LEASC_JOB_HOURS"
# Threads and allocators set memory aside that they never use; it counts all the same.
SPARE_SHARE, SPARE_BYTES = 1.25, 512 << 20
TOO_LONG = "The job took more processor time than this server gives to one ({hours:g} h); choose fewer points or representatives."
TOO_LARGE = "The memory ran out; take smaller blocks (--block-rows), fewer representatives, or set --memory to what is free."


def bound_by_environment():
    """Bound this process as ``LEASC_JOB_MEMORY`` (bytes) and ``LEASC_JOB_HOURS`` (of processor time) say, where they do."""
    memory, hours = (os.environ.get(name) for name in (MEMORY, HOURS))
    bound(float(memory) if memory else None, float(hours) if hours else None)


def bound(memory: float | None, hours: float | None):
    """Let this process hold ``memory`` bytes (and what its libraries set aside) and work for ``hours``; None bounds nothing."""
    if resource is None:
        return
    if memory is not None:
        _lower(resource.RLIMIT_DATA, int(SPARE_SHARE * memory) + SPARE_BYTES)
    if hours is not None:
        signal.signal(signal.SIGXCPU, lambda number, frame: _end(hours))
        _lower(resource.RLIMIT_CPU, max(1, int(3600 * hours)), spare=10)


def is_out_of_memory(error) -> bool:
    """Whether an error says, in the words of NumPy or of torch, that there was no memory."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "not enough memory" in str(error))


def _lower(kind, limit, spare=0):
    """A limit that is not above what holds already."""
    _, hard = resource.getrlimit(kind)
    most = limit + spare if hard == resource.RLIM_INFINITY else min(limit + spare, hard)
    resource.setrlimit(kind, (min(limit, most), most))


def _end(hours):
    print(TOO_LONG.format(hours=hours), file=sys.stderr, flush=True)
    os._exit(1)
