"""``--scheduler``: the same run, with a Dask cluster to work on the blocks."""

from ..errors import RunError


def resume_on(address, folder, on_event):
    """:func:`leasc_core.runner.run.resume` on the cluster at ``address``."""
    try:
        from ..engine import dask
    except ImportError:
        raise RunError("--scheduler needs Dask, which is not installed; install it, or leave the option out.") from None
    from ..runner.run import resume

    with dask.connect(address):
        return resume(folder, on_event=on_event, open_with=dask.dask_array)
