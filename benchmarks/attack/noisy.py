"""One visitor takes all that can be taken; another does a small job meanwhile, and the server lives."""

import io
import secrets
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from tests.browser.serving import served

from .client import Visitor

LINKS, JOBS = 20, 100
DONE = "Labels, CSV"
HEAVY = {
    "data.way": "make",
    "data.points": "1000",
    "data.subspaces": "10",
    "data.ambient": "60",
    "representatives.count": "1000",
    "train.variant": "nuclear",
    "made": "model",
}
REFUSALS = {
    "quota": "Your runs and uploads take",
    "runs": "runs at work or in line; wait for one",
    "bomb": "would grow from|needs more memory than|more than once|is not a readable",
    "memory": "memory ran out|of memory and may use",
}


def small_job(address, seed):
    """Seconds from the press of the button to the labels, of 800 points and a new visitor."""
    with Visitor(address, secrets.token_hex(16)) as visitor:
        visitor.open("Data", way="make", seed=seed)
        visitor.open("Cluster", how="given", clusters=4)
        visitor.wait(lambda: visitor.has("begin"))
        begun = time.monotonic()
        visitor.click("begin", wait=False)
        visitor.wait(lambda: DONE in visitor.said())
        return time.monotonic() - begun


def bombs():
    """Files of a few kilobytes that unpack to gigabytes."""
    from tests.hostile.bad import zip_bomb
    from tests.hostile.cases_arrays import raw_npy
    from tests.hostile.cases_tables import feather, long_lists, one_label, parquet

    return {
        "list.parquet": parquet({"a": long_lists(30_000_000)}, compression="zstd"),
        "label.feather": feather(one_label(4_000), compression="zstd"),
        "label.parquet": parquet(one_label(20_000), compression="zstd", use_dictionary=False),
        "zeros.npz": zip_bomb("X.npy", 1024, raw_npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (40000000, 3), }\n")),
    }


class Noise:
    """The visitor who takes all; ``told`` is what the pages said."""

    def __init__(self, address):
        self.address, self.secret, self.tabs, self.told = address, secrets.token_hex(16), [], []

    def tab(self):
        self.tabs.append(Visitor(self.address, self.secret))
        return self.tabs[-1]

    def upload_bombs(self):
        for name, body in bombs().items():
            tab = self.tab()
            tab.open("Data", way="file")
            tab.upload("data_upload", {name: body})
            self.told.append(tab.said())

    def run_beyond_memory(self):
        tab = self.tab()
        tab.open("Data", way="file", file="large.npy")
        tab.wait(lambda: "points ×" in tab.said())
        tab.open("Cluster", how="given", clusters=4, preparation="none", affinity="landmarks")
        tab.wait(lambda: tab.has("begin"))
        tab.click("begin")
        self.memory = tab

    def queue_jobs(self):
        tab = self.tab()
        tab.open("Data", way="make", points=1000, subspaces=10)
        for seed in range(JOBS):
            other = self.tab()
            other.open("Data", way="make", points=1000, subspaces=10, seed=seed)
            other.open("Cluster", how="given", clusters=10, seed=seed)
            other.wait(lambda other=other: other.has("begin"))
            other.click("begin")
            self.told.append(other.said())

    def open_links(self):
        for seed in range(LINKS):
            self.tab().open("Cluster", _wait=False, **HEAVY, **{"train.seed": seed})

    def fill_quota(self):
        tab = self.tab()
        body = io.BytesIO()
        np.save(body, np.random.default_rng(0).normal(size=(100_000, 20)))
        for number in range(12):
            tab.open("Data", way="file")
            tab.upload("data_upload", {f"mine-{number}.npy": body.getvalue()})
            self.told.append(tab.said())

    def close(self):
        for tab in self.tabs:
            tab.__exit__()


def noisy(quick):
    """The figures: the small job alone and beside the noise, refusals by kind, what the server's log says."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "data").mkdir()
        rng = np.random.default_rng(0)
        np.save(folder / "data/large.npy", rng.normal(size=(400_000, 40)).astype("f4"))
        settings = {"LEASC_DATA": str(folder / "data"), "LEASC_VISITOR_GB": "0.1", "LEASC_JOB_MEMORY": "1e8"}
        with served(folder, **settings) as (address, process):
            small_job(address, 1)
            alone = [small_job(address, seed) for seed in (2, 3, 4)]
            noise = Noise(address)
            if quick:
                global JOBS
                JOBS = 20
            noise.upload_bombs()
            noise.run_beyond_memory()
            noise.open_links()
            queueing = threading.Thread(target=noise.queue_jobs)
            queueing.start()
            beside = [small_job(address, seed) for seed in (5, 6, 7, 8, 9)]
            queueing.join()
            noise.fill_quota()
            beside += [small_job(address, 10)]
            noise.memory.wait(lambda: "interrupted" in noise.memory.said() or "memory" in noise.memory.said(), 120)
            noise.told.append(noise.memory.said())
            alive = process.poll() is None
            noise.close()
        log = (folder / "server.log").read_text("utf-8")
    import re

    found = {kind: sum(bool(re.search(words, said)) for said in noise.told) for kind, words in REFUSALS.items()}
    usual = sorted(alone)[1]
    return [
        ("A small job alone, median of 3", usual, None, "s"),
        (f"… beside {LINKS} heavy links, {JOBS} jobs, bombs and a full quota, worst of {len(beside)}", max(beside), None, "s"),
        ("… in multiples of alone: 2, and 1 for a job that is running already", max(beside) / usual, 3.0, "times"),
        ("The server lives", float(alive), 1, "of 1"),
        ("Tracebacks in its log", float(log.count("Traceback")), 0, ""),
        *((f"Refused with a sentence: {kind}", float(count), 1, "of many") for kind, count in found.items()),
    ]
