"""From scikit-learn's ``random_state`` to generators: one for each stage, so that a stage can be repeated or skipped alone."""

from zlib import crc32

import numpy as np
from sklearn.utils import check_random_state


class Seeds:
    """``seeds("landmarks")`` is that stage's own stream: the same int gives the same streams, None new ones each time."""

    def __init__(self, random_state):
        self._entropy = [int(word) for word in check_random_state(random_state).randint(2**31 - 1, size=4)]

    def __call__(self, stage):
        return np.random.default_rng([*self._entropy, crc32(stage.encode())])
