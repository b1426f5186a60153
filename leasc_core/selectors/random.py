"""Representatives drawn blindly, every subset of n points equally likely (Proposition 1 is about these)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .base import opened


@dataclass(frozen=True)
class RandomSelector:
    """Uniform sampling without replacement; reads no data, so any size will do."""

    name: ClassVar[str] = "random"
    label: ClassVar[str] = "Random"
    short: ClassVar[str] = "drawn at random"
    blurb: ClassVar[str] = "takes points blindly: each part of the data by its share."
    takes: ClassVar[str] = "a moment"

    def select(self, source: Any, n: int, rng: Any) -> np.ndarray:
        """The sorted indices (int64) of ``n`` different rows of ``source``."""
        source = opened(source, n)
        picked = np.random.default_rng(rng).choice(len(source), n, replace=False, shuffle=False)
        return np.sort(picked).astype(np.int64)


SELECTOR = RandomSelector
