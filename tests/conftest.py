"""What every test may use: one thread a worker, no deadlines on a busy machine, the shared data."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

if "PYTEST_XDIST_WORKER" in os.environ:
    # Set before numpy, torch or faiss load: workers that each want every core wait for one another.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")

settings.register_profile("shared_machine", deadline=None)
settings.load_profile("shared_machine")

# What takes longest comes first, so that no worker is left with it at the end.
FIRST = ("chaos", "browser", "docs", "autopilot")
SHARED_DATA = Path(__file__).parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    """The folder of the large public data sets, which are not part of the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the shared data folder (../shared/data beside the project) is not there")
    return SHARED_DATA


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: next((at for at, room in enumerate(FIRST) if room in item.path.parts), len(FIRST)))
