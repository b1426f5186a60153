"""Many visits, one after the other and at once: memory comes back, and everybody gets an answer."""

import secrets
import tempfile
import threading
import time

import psutil

from tests.browser.serving import served

from .client import Visitor

VISITS, AT_ONCE, SETTLED = 400, 20, 130.0
PAGES = ["", "Tour", "Four_lines", "Data", "Representatives", "Train", "Cluster", "Theory", "Compare"]


def visit(address, seed, pages=("Representatives",)):
    """A visit with points of its own; seconds to the first answer, and how many errors were shown."""
    with Visitor(address, secrets.token_hex(16)) as visitor:
        first, errors = visitor.open(""), 0
        visitor.open("Data", way="make", points=100 + seed % 900, seed=seed)
        for page in pages:
            visitor.open(page)
            errors += any("exception" in delta.get("new_element", {}) for delta in visitor.deltas.values())
        return first, errors


def settled(address, server, quick):
    """Bytes of the server when all sessions have expired: Streamlit lets go of them when the next visitor has left."""
    time.sleep(SETTLED if not quick else 20)
    visit(address, 0)
    time.sleep(2)
    return server.memory_info().rss


def visits(quick):
    """Memory of the server before and after visits whose sessions have ended."""
    count = 60 if quick else VISITS
    with tempfile.TemporaryDirectory() as folder, served(folder) as (address, process):
        server = psutil.Process(process.pid)
        for seed in range(40):
            visit(address, seed)
        before = settled(address, server, quick)
        errors = sum(visit(address, seed)[1] for seed in range(40, 40 + count))
        highest = server.memory_info().rss
        after = settled(address, server, quick)
    return [
        (
            f"Memory of the server after {count} visits with data of their own, above before",
            (after - before) / 1e6,
            100,
            "MB",
        ),
        ("… before they had expired", (highest - before) / 1e6, None, "MB"),
        ("… errors shown", errors, 0, ""),
    ]


def at_once(quick):
    """Visitors who come at the same moment and look at every page."""
    found, count = [], 5 if quick else AT_ONCE
    with tempfile.TemporaryDirectory() as folder, served(folder) as (address, _):
        visit(address, 0, PAGES)
        begun = time.monotonic()

        def come(seed):
            found.append(visit(address, seed, PAGES))

        threads = [threading.Thread(target=come, args=(seed,)) for seed in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - begun
    return [
        (f"{count} visitors at once: the slowest first answer", max(first for first, _ in found), 3, "s"),
        ("… all nine pages drawn for all", seconds, None, "s"),
        ("… errors shown, or visitors lost", sum(errors for _, errors in found) + count - len(found), 0, ""),
    ]
