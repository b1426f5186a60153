"""A process that has imported the parsers and forks a child for each file, which begins in milliseconds.

It is started when the first file is read, and ends with the process that started it. Where there is no fork, each child is a
fresh process.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import leasc_core

PIPE_BYTES = 1 << 20
COMMAND = [sys.executable, "-P", "-m", "leasc_core.data.reading.isolated"]


class Child:
    """A process that reads one file: what it writes, how it ended (as in :mod:`subprocess`), its peak of memory in bytes."""

    peak = 0

    def __init__(self, number, stdout, status):
        self._number, self.stdout, self._status = number, stdout, status
        self.returncode = None if number else -signal.SIGKILL

    def wait(self, seconds):
        """The exit code; TimeoutExpired if it is still at work after so many seconds."""
        ends = time.monotonic() + seconds
        while self.returncode is None:
            if not select.select([self._status], [], [], max(0.0, ends - time.monotonic()))[0]:
                raise subprocess.TimeoutExpired(COMMAND, seconds)
            code, peak = (self._status.readline().split() + [-signal.SIGKILL, 0])[:2]
            self.returncode, Child.peak = int(code), max(Child.peak, int(peak))
        return self.returncode

    def end(self):
        """Nothing is left of it, whatever it was doing."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        if self.returncode is None:
            os.kill(self._number, signal.SIGKILL)
            self.wait(60)
        self.stdout.close()
        self._status.close()


class _Fresh(Child):
    """The same as a process of its own, where there is no fork."""

    def __init__(self, folder, request):
        self._process = subprocess.Popen(
            [*COMMAND, folder], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._process.stdin.write(json.dumps(request).encode())
        self._process.stdin.close()
        self.stdout, self.returncode = self._process.stdout, None

    def wait(self, seconds):
        self.returncode = self._process.wait(seconds)
        return self.returncode

    def end(self):
        self._process.kill()
        self._process.wait()
        self.stdout.close()


def _widen(pipe):
    """Let more than 64 kB wait in a pipe, so that the two ends need not take turns; where the system can do it."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


class Nursery:
    """The process that forks, and the way to it."""

    def __init__(self):
        self._door, self._process, self._lock = None, None, threading.Lock()

    def begin(self, folder, request) -> Child:
        """A child that works on a request in that folder."""
        if not hasattr(os, "fork"):
            return _Fresh(folder, request)
        message = json.dumps([folder, request]).encode()
        out, status = os.pipe(), os.pipe()
        _widen(out[1])
        try:
            self._send(len(message).to_bytes(4, "big") + message, [out[1], status[1]])
        finally:
            os.close(out[1])
            os.close(status[1])
        stdout, told = os.fdopen(out[0], "rb"), os.fdopen(status[0], "rb", buffering=0)
        return Child(int(told.readline() or 0), stdout, told)

    def _send(self, message, handles):
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                with suppress(OSError):  # it ended a moment ago
                    socket.send_fds(self._door, [message], handles)
                    return
            self._start()
            socket.send_fds(self._door, [message], handles)

    def _start(self):
        self._door, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                COMMAND, env=environment(), stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )


def environment():
    """What the child needs to find Python and us, and nothing else; HDF5 may load no plug-ins."""
    kept = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    return {key: os.environ[key] for key in kept if key in os.environ} | {
        "PYTHONPATH": str(Path(leasc_core.__file__).resolve().parents[1]),
        "HDF5_PLUGIN_PRELOAD": "::",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        # Memory that Arrow's own allocator sets aside would count against the fence.
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    }


NURSERY = Nursery()
if hasattr(os, "register_at_fork"):
    # A fork of this process has no nursery yet.
    os.register_at_fork(after_in_child=NURSERY.__init__)
