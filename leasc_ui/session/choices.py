"""What may be chosen, in plain words."""

from leasc_core.coding.variants import VARIANTS as TABLE
from leasc_core.selectors import SELECTORS as KNOWN
from leasc_ui.session.fields import Words, ladder, menu, text

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


def variant_field():
    """The setting of the variant; another one brings its own β."""
    return menu(
        "f2",
        "Codes",
        VARIANTS,
        renews=("beta",),
        below=lambda settings: VARIANTS[settings.variant].meaning,
        help="What makes a code cheap, and so what kind of help a point gets from the representatives.",
    )


def beta_field(prices):
    """The setting of β among these; None is the variant's own."""
    return ladder(
        None,
        "β, the price of an error",
        prices,
        usual=lambda settings, facts: default_beta(settings.variant),
        help=lambda settings, facts: (
            "Small: a point may be written badly if that keeps its code small. Large: codes must fit. "
            f"This variant’s own is {text(default_beta(settings.variant))}."
        ),
        name="β",
    )
