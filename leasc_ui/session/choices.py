"""What may be chosen, in plain words."""

from leasc_core.coding.variants import VARIANTS as TABLE
from leasc_core.selectors import SELECTORS as KNOWN
from leasc_ui.session.fields import Words

VARIANTS = {name: Words(each.short, each.label, each.sentence) for name, each in TABLE.items()}
SELECTORS = {name: Words(each.short, each.label, each.blurb) for name, each in KNOWN.items()}
SOLVERS = {
    "exact": Words("exact", "Exact", "ends with a proof, a duality gap of at most 1 %."),
    "paper": Words("Algorithm 2", "Algorithm 2", "is the paper’s own iteration, which its growing μ freezes early."),
}


def default_beta(variant: str) -> float:
    """The variant's own β."""
    return TABLE[variant].beta


def uses_alpha(variant: str) -> bool:
    """Whether the variant has a second penalty, of weight α."""
    return TABLE[variant].uses_alpha
