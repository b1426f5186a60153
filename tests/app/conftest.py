"""Every test of the app has folders of its own."""

import sys

import pytest


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Runs and converted files go to a folder of the test."""
    monkeypatch.setenv("LEASC_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path / "cache"))
    yield
    # What a page began at once does not go on beside the next tests: they share the places of one server.
    if (queue := sys.modules.get("leasc_ui.work.queue")) is not None:
        for folder in (tmp_path / "runs").glob("*/*/*"):
            if queue.LINE.knows(folder):
                queue.LINE.leave(folder)
