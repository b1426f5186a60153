"""The variants of RPCM (the paper's Table I), each declared once: penalties, default weights, and words.

To add one: an entry here, its penalty in ``leasc_core/penalties`` if that is new, and a test. The command line, the limits of the
parameters, the budget, the baselines, the pages and the exports read this table.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ..penalties import L1, ElasticNet, Nuclear, Penalty, Scaled, SquaredFrobenius


@dataclass(frozen=True)
class Variant:
    """One norm of the codes.

    ``penalty(ᾱ, α)`` is ᾱR₁ + αR₂, and ``first(ᾱ)`` is ᾱR₁ alone; ``uses_alpha`` says whether there is an R₂ = ‖Z‖²_F.
    ``noise`` and ``beta`` are the usual penalty R₃ of the errors and its weight, for points of about unit length (squares and
    lengths have different ones). ``self_code_is_trivial``: would a point allowed to code itself be coded by nothing else, so
    that LeaSC forbids it? ``rpcm_forbids_self_codes`` is the same for RPCM alone. ``iterations`` are those of the exact
    solver, for the budget. ``short``, ``label``, ``title`` and ``sentence`` are words: in a sentence, in a list, in a table,
    and what it does; ``codes`` says what codes they are.
    """

    name: str
    first: Callable[[float], Penalty]
    noise: str
    beta: float
    self_code_is_trivial: bool
    iterations: int
    short: str
    label: str
    title: str
    codes: str
    sentence: str
    uses_alpha: bool = False
    rpcm_forbids_self_codes: bool = True
    both: Callable[[float, float], Penalty] | None = None

    def penalty(self, alpha_bar: float, alpha: float) -> Penalty:
        """ᾱR₁ + αR₂."""
        return self.first(alpha_bar) if self.both is None else self.both(alpha_bar, alpha)


VARIANTS: dict[str, Variant] = {
    each.name: each
    for each in (
        Variant(
            name="f2",
            first=lambda weight: Scaled(SquaredFrobenius(), weight),
            noise="f2",
            beta=1.0,
            self_code_is_trivial=False,
            iterations=1,
            short="F²",
            label="F² – everyone helps a little",
            title="RPCM-F²",
            codes="smooth codes in closed form",
            sentence="Keeps the squared size of the codes small. Closed form, so the fastest.",
        ),
        Variant(
            name="l1",
            first=lambda weight: Scaled(L1(), weight),
            noise="l21",
            beta=10.0,
            self_code_is_trivial=True,
            iterations=80,
            short="ℓ1",
            label="ℓ1 – as few helpers as possible",
            title="RPCM-ℓ1",
            codes="sparse codes",
            sentence="Keeps absolute values small: very few representatives write each point.",
        ),
        Variant(
            name="nuclear",
            first=lambda weight: Scaled(Nuclear(), weight),
            noise="l21",
            beta=1.0,
            self_code_is_trivial=False,
            iterations=30,
            short="nuclear norm",
            label="Nuclear – few shared patterns",
            title="RPCM-nuclear",
            codes="codes of low rank",
            sentence="Keeps singular values small: all codes together follow few patterns.",
            rpcm_forbids_self_codes=False,
        ),
        Variant(
            name="elastic_net",
            first=lambda weight: Scaled(L1(), weight),
            both=lambda alpha_bar, alpha: ElasticNet(l1=alpha_bar, l2=alpha),
            noise="l21",
            beta=10.0,
            self_code_is_trivial=True,
            iterations=60,
            short="elastic net",
            label="Elastic net – few helpers, in groups",
            title="RPCM-ℓ1+F²",
            codes="sparse, smooth codes",
            sentence="ℓ1 and F² together: sparse, but representatives that are alike help together.",
            uses_alpha=True,
        ),
    )
}
