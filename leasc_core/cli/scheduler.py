"""``--scheduler``: the same run, with a Dask cluster to work on the blocks."""

import time

import numpy as np

from ..engine.dask import DaskSource, connect, dask_array
from ..runner import run
from ..runner.folder import EventLog, RunFolder
from ..runs.checkpoint import FolderStore


def resume_on(address, folder, on_event):
    """:func:`leasc_core.runner.run.resume` on the cluster at ``address``; its workers see the file under the same path."""
    files = RunFolder(folder)
    config = files.config()
    with connect(address), files.held():
        if files.summary() is not None:
            return run.result_of(folder)
        log = EventLog(files)
        try:
            log.say("Resumed" if files.checkpoints.exists() else "Started", scheduler=address)
            return _execute(files, config, log, on_event)
        finally:
            log.close()


def _execute(files, config, log, on_event):
    source, begun = run._unchanged_source(config), time.perf_counter()
    rows = DaskSource(dask_array(config["data"]["path"], **config["data"]["options"]), source.name)
    model = run.model_of(config)
    model.on_event = lambda event: run._both(log, on_event, event)
    model.fit_run(rows, FolderStore(files.checkpoints, run._identity(config)))
    if model.stopped_:
        log.say("Stopped")
        return run.RunResult(files.path, False, None, {})
    model.labels_ = np.asarray(model.labels_)
    run._refuse_changed(config, files)
    log.say("Finished", **run._publish(files, model, source, config, time.perf_counter() - begun))
    return run.result_of(files.path)
