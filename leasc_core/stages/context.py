"""What every stage is given besides its data: who works on blocks, where results are kept, chance, and who listens."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import numpy as np

from ..engine.local import LocalEngine
from ..events import Reporter
from ..storage.checkpoint import MemoryStore


class Seeds:
    """``seeds("landmarks")`` is that stage's own generator: the same int gives the same ones, None new ones each time.

    So a stage can be repeated or skipped without changing what chance does in the others.
    """

    def __init__(self, random_state: Any = None):
        from sklearn.utils import check_random_state

        self._entropy = [int(word) for word in check_random_state(random_state).randint(2**31 - 1, size=4)]

    def __call__(self, stage: str) -> np.random.Generator:
        return np.random.default_rng([*self._entropy, crc32(stage.encode())])

    def integer(self, stage: str) -> int:
        """A seed for something inside ``stage`` that takes an int."""
        return int(self(stage).integers(2**31 - 1))


class Store(Protocol):
    """Keeps finished stages by name (:mod:`leasc_core.storage.checkpoint`)."""

    def once(self, name: str, make: Callable[[], tuple[dict, dict]]) -> tuple[dict, dict]:
        """``(settings, arrays)`` as kept under ``name``, or else as ``make()`` gives them."""
        ...


class Context(NamedTuple):
    """Engine, store, seeds and reporter of one fit."""

    engine: Any
    store: Any
    seeds: Seeds
    reporter: Reporter

    @classmethod
    def local(cls, random_state: Any = None, on_event: Callable | None = None, block_rows: int | None = None) -> "Context":
        """A context of this process that keeps nothing beyond the fit."""
        engine = LocalEngine() if block_rows is None else LocalEngine(block_rows)
        return cls(engine, MemoryStore(), Seeds(random_state), Reporter(on_event))

    def seeded(self, random_state: Any) -> "Context":
        """The same with other seeds."""
        return self._replace(seeds=Seeds(random_state))

    def draw(self, number: int) -> "Context":
        """The context of another draw: seeds of its own, and a store that keeps its stages under other names."""
        return self.seeded(self.seeds.integer(f"draw {number}"))._replace(store=_DrawStore(self.store, number))


class _DrawStore:
    """The store of a run, with the names of one draw."""

    def __init__(self, store, draw):
        self.store, self.prefix = store, f"draw{draw}-"

    def once(self, name, make):
        return self.store.once(self.prefix + name, make)
