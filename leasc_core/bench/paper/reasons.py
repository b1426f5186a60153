"""Why a row of ours is more than 5 points under the paper's, each found by an experiment that changed one thing alone."""

_FACES = (
    "their feature; plain principal components of faces are ruled by the light, and distances see little else. With every "
    "component scaled to unit variance, and nothing else changed, {}: theirs lies between"
)
_WIDTH = (
    "an oracle: the kernel's width and how many eigenvectors are cut are free. On {} {} at the 7th neighbour becomes {} at "
    "the 300th, and {} with twelve eigenvectors instead of ten: theirs lies between"
)
_CUT = "an oracle: how many entries of a code are cut is free (the authors' script lets the labels choose a threshold of six); {}"

_VECTORS = (
    "an oracle: how many eigenvectors are cut is free. Ten of them divide 1 in two and leave 5 with 3 or 8 on every draw ({}); "
    "with twelve, and nothing else changed, it is {}"
)

YALEB = {
    "lbsc_k": _FACES.format("it reaches 72.3, and 84.3 with 1,000 landmarks (3 seeds)"),
    "lbsc_r": _FACES.format("it reaches 61.2, and 78.4 with 1,000 landmarks (3 seeds)"),
    "nystrom": _FACES.format("it reaches 39.3 (3 seeds)"),
    "nystrom_orthogonal": _FACES.format("it reaches 44.1 (3 seeds)"),
}
MNIST5K = {
    "nystrom": _WIDTH.format("4 draws", "61.8", "69.0", "78.8"),
    "nystrom_orthogonal": _WIDTH.format("4 draws", "62.7", "68.5", "81.9"),
    "slrr": (
        "an oracle: the affinity is free. LRR's authors cut powers of the cosines between rows of UΣ½ (Z = UΣVᵀ), not |Z|; from "
        "the same codes the fourth power gives 81.1 (4 draws, 73.3 to 91.5) and the second 60.7, where |Z| gives 72.5. The "
        "classifier is not to blame: from the sample's true labels it reaches 97.2"
    ),
    "slsr": "the sample: 500 digits drawn anew give 70.0 to 89.8, and 78.2 in the mean of ten seeds",
    "lbsc_r": (
        "an oracle: landmarks and eigenvectors are free. Another implementation, by scikit-learn and scipy, gives 76.0 with our "
        "settings (5 draws); with 1,000 landmarks and without the constant eigenvector 82.5, with 2,000 landmarks 90.3"
    ),
    "ensc": _VECTORS.format("4 draws, 83.1 to 84.1", "95.2 (94.6 to 96.2)"),
    "ensc_active": _VECTORS.format("2 draws, 83.4 and 83.4", "95.7 and 95.9"),
    "ssc_omp": _CUT.format("with 5 of its 10 it is 85.7, with 3 it is 94.2 (2 draws)"),
}
MNIST70K = {
    "nystrom": _WIDTH.format("3 samples", "63.2", "64.0", "74.9"),
    "nystrom_orthogonal": _WIDTH.format("3 samples", "62.6", "67.4", "78.0"),
}
