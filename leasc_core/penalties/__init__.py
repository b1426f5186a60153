"""Norms that know three things about themselves: ``value``, ``prox`` and ``conjugate``.

Matrices use the paper's columns (one point = one column). To add a penalty, add a file with a class that
has the three methods of :class:`~leasc_core.penalties.base.Penalty`, and a test that its prox obeys Moreau's identity.
"""

from .base import Penalty, Rescaled, Scaled
from .elastic_net import ElasticNet
from .l1 import L1
from .l21 import L21
from .nuclear import Nuclear
from .pinned import Pinned
from .squared_frobenius import SquaredFrobenius

__all__ = ["ElasticNet", "L1", "L21", "Nuclear", "Penalty", "Pinned", "Rescaled", "Scaled", "SquaredFrobenius"]
