"""The app on a free port, from a fresh process until a block ends; for tests, benchmarks and pictures."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTED_WITHIN = 180


@contextmanager
def served(folder, script=ROOT / "app.py", **environment):
    """Gives the app's address and its process; ``folder`` takes its runs, its cache and its log, ``server.log``."""
    folder, port = Path(folder), _free_port()
    log, address = folder / "server.log", f"http://localhost:{port}"
    command = [sys.executable, "-m", "streamlit", "run", script.name, "--server.headless", "true", "--server.port", str(port)]
    places = {"LEASC_RUNS": str(folder / "runs"), "LEASC_CACHE": str(folder / "cache")} | environment
    with log.open("w") as stream:
        process = subprocess.Popen(command, cwd=script.parent, stdout=stream, stderr=subprocess.STDOUT, env=os.environ | places)
    try:
        _wait_until_healthy(address, process, log)
        yield address, process
    finally:
        process.terminate()
        process.wait(timeout=30)


def _free_port():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


def _wait_until_healthy(address, process, log):
    deadline = time.monotonic() + STARTED_WITHIN
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The app did not start within {STARTED_WITHIN} s:\n{log.read_text()}")
