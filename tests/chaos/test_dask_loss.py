"""Two Dask workers, one of them killed in the middle of a run: the labels of this machine alone."""

import os
import signal
import threading

import numpy as np
import pytest

from leasc_core import LeaSC
from leasc_core.events import StageStarted
from tests.chaos.nursery import PARAMETERS

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed", reason="Dask is an optional extra (requirements-dask.txt)")


def test_a_killed_worker_changes_nothing(points, undisturbed, tmp_path):
    from leasc_core.engine.dask import dask_array

    settings = {**PARAMETERS, "hidden": tuple(PARAMETERS["hidden"]), "random_state": 0}
    killed = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path) as cluster,
        distributed.Client(cluster) as client,
    ):

        def kill():
            victim = next(iter(client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

        def when_encoding(event):
            if isinstance(event, StageStarted) and event.stage == "spectral":
                threading.Thread(target=kill).start()

        model = LeaSC(**settings, on_event=when_encoding).fit(dask_array(points, rows=500))
        labels = model.labels_.compute()
        assert len(killed) == 1, "the worker was killed while the blocks were being joined"
        survivors = set(client.run(os.getpid).values())
        assert killed[0] not in survivors
    assert np.array_equal(labels, undisturbed)
