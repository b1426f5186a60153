"""What may be chosen, in plain words."""

from dataclasses import dataclass

from leasc_ui.example import FIND


@dataclass(frozen=True)
class Words:
    """How a choice is called in a sentence, in a list, and what it does."""

    short: str
    label: str
    meaning: str


VARIANTS = {
    "f2": Words(
        "F²",
        "F² – everyone helps a little",
        "Keeps the squared size of the codes small. Closed form, so the fastest.",
    ),
    "l1": Words(
        "ℓ1",
        "ℓ1 – as few helpers as possible",
        "Keeps absolute values small: very few representatives write each point.",
    ),
    "nuclear": Words(
        "nuclear norm",
        "Nuclear – few shared patterns",
        "Keeps singular values small: all codes together follow few patterns.",
    ),
    "elastic_net": Words(
        "elastic net",
        "Elastic net – few helpers, in groups",
        "ℓ1 and F² together: sparse, but representatives that are alike help together.",
    ),
}
SOLVERS = {
    "exact": Words("exact", "Exact", "ends with a proof, a duality gap of at most 1 %."),
    "paper": Words("Algorithm 2", "Algorithm 2", "is the paper’s own iteration, which its growing μ freezes early."),
}
SELECTORS = {
    "random": Words("drawn at random", "Random", "takes points blindly: each part of the data by its share."),
    "kmeans": Words("near K-means centres", "K-means", "takes the points nearest to K-means centres, all over the data."),
    "ds3": Words("found by DS3", "DS3", "finds the points that stand for all others at the least cost; the paper’s choice."),
}
OPTIONS = {
    "selector": tuple(SELECTORS),
    "variant": tuple(VARIANTS),
    "solver": tuple(SOLVERS),
    "beta": tuple(float(f"{digit}e{power}") for power in range(-2, 3) for digit in (1, 2, 5)) + (1000.0,),
    "hidden": (2, 5, 10, 20, 50, 100, 200, 500),
    "clusters": (FIND, 2, 3, 4, 5, 6, 7, 8),
    "representatives": tuple(range(4, 401, 4)),
    "noise": tuple(step / 4 for step in range(13)),
    "seed": range(10_000),
}


def text(value):
    """A choice as it stands in the address."""
    return f"{value:g}" if isinstance(value, float) else str(value)
