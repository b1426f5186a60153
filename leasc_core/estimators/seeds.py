"""From scikit-learn's ``random_state`` to a numpy generator."""

import numpy as np
from sklearn.utils import check_random_state


def generator(random_state):
    """A fresh generator: the same int gives the same stream, None a new one each time."""
    return np.random.default_rng(check_random_state(random_state).randint(2**31 - 1, size=4))
