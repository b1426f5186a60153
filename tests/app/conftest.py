"""Every test of the app has folders of its own."""

import pytest


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Runs and converted files go to a folder of the test."""
    monkeypatch.setenv("LEASC_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path / "cache"))
