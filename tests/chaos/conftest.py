"""A file of points, what an undisturbed run makes of it, and a nursery of processes to kill."""

import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

from leasc_core.data.synthetic.large import write_union_of_subspaces
from leasc_core.runs import run
from tests.chaos.nursery import PARAMETERS

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0


@pytest.fixture(scope="session")
def points(tmp_path_factory):
    """12,000 points on six subspaces, noisy enough that clusters are not trivial."""
    path = tmp_path_factory.mktemp("points") / "points.npy"
    write_union_of_subspaces(path, 12_000, 6, 3, 24, 0.3, 0)
    return path


@pytest.fixture(scope="session")
def undisturbed(points, tmp_path_factory):
    """The labels of a run that nobody disturbs."""
    return np.array(run.start(tmp_path_factory.mktemp("runs") / "undisturbed", points, PARAMETERS).labels)


class Nursery:
    """Starts runs in children of a warmed-up process."""

    def __init__(self, complaints):
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, str(Path(__file__).with_name("nursery.py"))]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": complaints, "text": True}
        self.process = subprocess.Popen(command, cwd=ROOT, env={**environment, "PYTHONPATH": str(ROOT)}, **pipes)
        self.complaints, self.busy, self.lines = complaints, False, queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._line() == "ready"

    def begin(self, folder):
        """Begin or resume the run; the child's process number."""
        if self.busy:  # a test that failed did not wait for its child
            self.status()
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        self.busy = True
        return self._number("child")

    def status(self):
        """How the child ended: 0 finished, 9 killed."""
        self.busy = False
        return self._number("ended")

    def _number(self, word):
        said, number = self._line().split()
        assert said == word
        return int(number)

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def _line(self):
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"no word from the nursery for {PATIENCE:.0f} s; {self._complaints()}") from None
        assert line is not None, self._complaints()
        return line

    def _complaints(self):
        self.complaints.seek(0)
        return self.complaints.read()[-2000:]

    def close(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="session")
def nursery():
    with tempfile.TemporaryFile("w+") as complaints:  # a pipe that nobody reads would fill up and hold the children
        children = Nursery(complaints)
        yield children
        children.close()
