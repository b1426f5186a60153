"""The steps of the pipeline, for anyone to call: choose representatives → learn the encoder → cluster.

>>> from leasc_core.stages import Coding, Context, choose, cluster, learn
>>> context = Context.local(random_state=0)
>>> chosen = choose(points, 500, context)                              # doctest: +SKIP
>>> learned = learn(chosen.points, Coding("f2"), context)              # doctest: +SKIP
>>> fitted = cluster(points, Encode(learned.network), 4, context)      # doctest: +SKIP

Every stage gets one :class:`Context` (engine, store, seeds, reporter) and gives one plain object. ``LeaSC`` is these in a row.
"""

from .cluster import cluster, project_codes
from .context import Context, Seeds
from .encode import Encode
from .learn import Coding, Learned, learn
from .represent import Representatives, choose

__all__ = [
    "Coding",
    "Context",
    "Encode",
    "Learned",
    "Representatives",
    "Seeds",
    "choose",
    "cluster",
    "learn",
    "project_codes",
]
