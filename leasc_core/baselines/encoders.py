"""Other encoders in the place of RPCM's function f: the same representatives before them, the same landmarks after them."""

import numpy as np

from .base import Baseline

FAMILY = "encoders"
LOADS = ("torch", "sklearn.cluster", "leasc_core.estimators.leasc")
REPRESENTATIVES = 1000
COST = "training on n representatives, then one pass over m points"


def dae(points, k, seed, clock, *, n_representatives=REPRESENTATIVES):
    """A denoising auto-encoder's hidden layer as codes.

    Defaults: 1,000 random representatives, 1,500 tanh units, a tenth of the entries dropped, 20 epochs.
    """
    from .solvers.autoencoder import DenoisingAutoEncoder

    return _encoded(points, k, seed, clock, n_representatives, lambda X, rng: DenoisingAutoEncoder().fit(X, rng))


def ssc_lomp(points, k, seed, clock, *, n_representatives=REPRESENTATIVES, entries=10):
    """Learned pursuit (Li 2017): the network f taught the representatives' OMP codes instead of RPCM's.

    Defaults: 1,000 random representatives, at most 10 entries a code, 1,500 hidden units, at most 5 epochs.
    """
    from ..encoder.train import train_encoder
    from .solvers.pursuit import pursuit_codes

    def learn(X, rng):
        return train_encoder(X, pursuit_codes(X, entries).toarray(), rng=rng)[0]

    return _encoded(points, k, seed, clock, n_representatives, learn)


def latlrr(points, k, seed, clock, *, n_representatives=REPRESENTATIVES, weight=0.4):
    """Latent LRR's linear map as the encoder. Defaults: 1,000 random representatives, λ = 0.4, at most 300 iterations."""
    from .solvers.latent_low_rank import latent_low_rank

    def learn(X, rng):
        L = latent_low_rank(X.T, weight, tol=1e-3, max_iter=300).map.astype(np.float32)
        return lambda rows: rows @ L.T

    return _encoded(points, k, seed, clock, n_representatives, learn)


def rpcaec(points, k, seed, clock, *, n_representatives=REPRESENTATIVES, rank=100):
    """The unrolled robust-PCA encoder. Defaults: 1,000 random representatives, codes of 100 entries, 5 layers, 5 epochs."""
    from .solvers.robust_pca import RobustPCAEncoder

    return _encoded(points, k, seed, clock, n_representatives, lambda X, rng: RobustPCAEncoder(rank).fit(X, rng))


def _encoded(points, k, seed, clock, n_representatives, learn):
    """Representatives, the encoder learned from them, and the end of LeaSC's pipeline."""
    from .landmark_end import choose_representatives, cluster_encoded

    with clock("representatives"):
        chosen, sign_blind = choose_representatives(points, n_representatives, seed)
    with clock("network"):
        encode = learn(chosen, np.random.default_rng(seed))
    return cluster_encoded(points, encode, k, seed, clock, sign_blind)


BASELINES = (
    Baseline("dae", "DAE", FAMILY, "Codes are the hidden layer of a denoising auto-encoder.", COST, 1_000_000, dae, loads=LOADS),
    Baseline(
        "ssc_lomp", "SSC-LOMP", FAMILY, "A network learns the codes of matching pursuit.", COST, 1_000_000, ssc_lomp, loads=LOADS
    ),
    Baseline("latlrr", "latLRR", FAMILY, "A linear map learned beside low-rank codes.", COST, 1_000_000, latlrr, loads=LOADS),
    Baseline("rpcaec", "RPCAec", FAMILY, "A few learned steps of robust PCA.", COST, 1_000_000, rpcaec, loads=LOADS),
)
