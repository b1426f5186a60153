"""Table II: what training and coding cost each method, as formulas of your own numbers.

The paper counts operations up to a constant, which differs from method to method: compare how the numbers grow, not seconds. Its
row of RPCM with ℓ1 prints D for d.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from leasc_core.errors import ParameterError


@dataclass(frozen=True)
class Sizes:
    """The letters of Table II.

    Parameters
    ----------
    m, n, d : numbers of points, representatives and features
    hidden : units of each hidden layer of f
    epochs, iterations : t₁ of the network, t₂ of the solver
    """

    m: int
    n: int
    d: int
    hidden: tuple = (1500,)
    epochs: int = 5
    iterations: int = 100

    def __post_init__(self):
        values = {**vars(self), **{f"hidden[{i}]": units for i, units in enumerate(self.hidden)}}
        for name, value in values.items():
            least = 0 if name == "epochs" else 1
            if name != "hidden" and value < least:
                raise ParameterError(f"{name}={value} is no size of Table II; give at least {least}.")

    @property
    def weights(self):
        """Σ ι_i ι_{i−1}: the weights of f, from d features over the hidden layers to n codes."""
        layers = (self.d, *self.hidden, self.n)
        return sum(a * b for a, b in zip(layers, layers[1:], strict=False))


@dataclass(frozen=True)
class Cost:
    """A method's row: its formulas as LaTeX and as functions of :class:`Sizes`.

    ``length`` says how many numbers a code has ("m" or "n"): what a classical method must store for every point.
    """

    method: str
    training: str
    coding: str
    training_of: Callable = field(repr=False)
    coding_of: Callable = field(repr=False)
    length: str

    def total(self, sizes):
        """Operations for training and coding together, up to the method's constant."""
        return self.training_of(sizes) + self.coding_of(sizes)

    def stored(self, sizes):
        """Numbers in the codes of all points."""
        return sizes.m * getattr(sizes, self.length)


def _learned(method, training, training_of):
    coding = r"\mathcal{O}\left(m\sum_{i=2}^{l}\iota_i\iota_{i-1}\right)"
    return Cost(method, training, coding, training_of, lambda s: s.m * s.weights, "n")


def _classical(method, coding, coding_of):
    return Cost(method, r"\mathcal{O}(0)", coding, lambda s: 0, coding_of, "m")


TABLE = (
    _learned(
        "RPCM elastic net",
        r"\mathcal{O}(t_2(t_1+d+1)n^3)",
        lambda s: s.iterations * (s.epochs + s.d + 1) * s.n**3,
    ),
    _learned("RPCM ℓ1", r"\mathcal{O}(t_2(t_1+d)n^3)", lambda s: s.iterations * (s.epochs + s.d) * s.n**3),
    _learned(
        "RPCM nuclear",
        r"\mathcal{O}(t_2((t_1+1)n^3+dn^2))",
        lambda s: s.iterations * ((s.epochs + 1) * s.n**3 + s.d * s.n**2),
    ),
    _learned("RPCM F²", r"\mathcal{O}((t_1+1)n^3)", lambda s: (s.epochs + 1) * s.n**3),
    _classical("ENSC", r"\mathcal{O}(t_2(d+1)m^3)", lambda s: s.iterations * (s.d + 1) * s.m**3),
    _classical("SSC", r"\mathcal{O}(t_2dm^3)", lambda s: s.iterations * s.d * s.m**3),
    _classical("LRR", r"\mathcal{O}(t_2(dm^2+m^3))", lambda s: s.iterations * (s.d * s.m**2 + s.m**3)),
    _classical("LSR", r"\mathcal{O}(m^3)", lambda s: s.m**3),
)
