"""``--scheduler``: the same run, with a Dask cluster to work on the blocks."""

from ..engine.dask import DaskSource, connect, dask_array
from ..runs import run
from ..runs.folder import RunFolder


def resume_on(address, folder, on_event):
    """:func:`leasc_core.runs.run.resume` on the cluster at ``address``; its workers see the file under the same path."""
    data = RunFolder(folder).config()["data"]

    def spread(source):
        return DaskSource(dask_array(data["path"], **data["options"]), source.name)

    with connect(address):
        return run.resume(folder, on_event=on_event, spread=spread)
