"""The server is killed again and again while a visitor's run goes on; whoever comes back finds the same labels."""

import os
import secrets
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

from tests.browser.serving import served

from .client import Visitor

KILLS = 20
ASKED = {"how": "given", "clusters": 6, "affinity": "landmarks", "preparation": "none"}


def kills(quick):
    """Kills at moments taken from the run's own events, all over its length; the worker goes on or is resumed."""
    from leasc_core.data.synthetic.large import write_union_of_subspaces

    count = 4 if quick else KILLS
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "data").mkdir()
        write_union_of_subspaces(folder / "data/small.npy", 9_000, 6, 3, 24, 0.3, 0)
        write_union_of_subspaces(folder / "data/large.npy", 60_000, 6, 3, 24, 0.3, 0)
        usual = {name: undisturbed(folder, name) for name in ("small", "large")}
        outcomes = [killed(folder, ("small", "large")[at % 2], usual, (at + 0.5) / count) for at in range(count)]
    same, before_the_end, resumed = (sum(each) for each in zip(*outcomes, strict=True))
    return [
        (f"{count} kills of the server: the labels are those of an undisturbed run", same, count, f"of {count}"),
        ("… that came before the run had ended", before_the_end, count / 2, "of half"),
        ("… resumed by the visitor, the others went on without a server", resumed, None, ""),
    ]


def undisturbed(folder, name):
    """``(labels, events)`` of a run that nobody disturbs."""
    secret = secrets.token_hex(16)
    with served(folder, LEASC_DATA=str(folder / "data")) as (address, _):
        run = begun(address, secret, name, folder)
        finish(address, secret, run)
    return np.load(run / "labels.npy"), said(run)


def killed(folder, name, usual, share):
    """Whether labels are the same, whether the kill came before the end, whether the visitor had to resume."""
    labels, length = usual[name]
    secret = secrets.token_hex(16)
    with suppress(Exception), served(folder, LEASC_DATA=str(folder / "data")) as (address, process):
        run = begun(address, secret, name, folder)
        until = time.monotonic() + 120
        while said(run) < length * share and not (run / "summary.json").exists() and time.monotonic() < until:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        before_the_end = not (run / "summary.json").exists()
    with served(folder, LEASC_DATA=str(folder / "data")) as (address, _):
        resumed = finish(address, secret, run)
    return np.array_equal(np.load(run / "labels.npy"), labels), before_the_end, resumed


def begun(address, secret, name, folder):
    """The folder of a run that a visitor has begun."""
    before = set(folder.glob("runs/*/runs/*"))
    with Visitor(address, secret) as visitor:
        visitor.open("Data", way="file", file=f"{name}.npy")
        visitor.wait(lambda: "points ×" in visitor.said())
        visitor.open("Cluster", **ASKED)
        visitor.wait(lambda: visitor.has("begin"))
        visitor.click("begin")
        visitor.wait(lambda: set(folder.glob("runs/*/runs/*")) > before)
        return (set(folder.glob("runs/*/runs/*")) - before).pop()


def finish(address, secret, run):
    """Come back, resume what was interrupted, and wait for the end; whether it had to be resumed."""
    with Visitor(address, secret) as visitor:
        visitor.open("Cluster")
        resumed = False
        if visitor.has("resume_run") and not (run / "summary.json").exists():
            visitor.click("resume_run")
            resumed = True
        visitor.wait(lambda: (run / "summary.json").exists())
    return resumed


def said(run):
    """The lines of a run's events."""
    try:
        return (run / "events.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0
