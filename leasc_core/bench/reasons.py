"""Why a row of ours is more than 5 points under the paper's, each found by an experiment that changed one thing alone."""

_FACES = (
    "their feature; plain principal components of faces are ruled by the light, and distances see little else. With every "
    "component scaled to unit variance, and nothing else changed, {}: theirs lies between"
)
_WIDTH = "an oracle: the kernel's width is free; on the first draw {} at the 7th neighbour becomes {} at the 30th (3 seeds)"
_CUT = "an oracle: how many entries of a code are cut is free (the authors' script lets the labels choose a threshold of six); {}"

_MERGED = (
    "the draw: 3 and 5 share a cluster and 1 is divided in two, as with SSC and LSR on the same digits; NMI is within 2 points "
    "of theirs, and their deviation of {} points says that their draws fell either way. {}"
)

YALEB = {
    "lbsc_k": _FACES.format("LbSC-K reaches 72.3, and 85.0 with 1,000 landmarks"),
    "lbsc_r": _FACES.format("landmarks of the same kind (LbSC-K) reach 72.3"),
    "nystrom": _FACES.format("it reaches 39.0"),
    "nystrom_orthogonal": _FACES.format("it reaches 42.1"),
}
MNIST5K = {
    "nystrom": _WIDTH.format("62.4", "68.8"),
    "nystrom_orthogonal": _WIDTH.format("65.9", "73.3"),
    "slrr": (
        "an oracle in part: with β = 0.3 and 5 entries cut it is 75.8 (3 seeds), as these change it goes from 67.6 to 75.8. The "
        "classifier is not to blame: it labels everything as well (72.5) as LRR its own 500 samples (71.1)"
    ),
    "ensc": _MERGED.format("6", "Features that are not centred (84.0), α = 10 (83.9) or 3 entries cut (83.8) change little"),
    "ensc_active": _MERGED.format("7", "Features that are not centred change nothing (83.2)"),
    "ssc_omp": _CUT.format("with 5 of its 10 it is 90.9, with 3 it is 95.1"),
}
