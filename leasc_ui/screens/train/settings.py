"""The settings of the Train page; one more parameter of :class:`leasc_core.RPCM` is one more field here."""

from dataclasses import dataclass, replace

from leasc_ui.session.choices import SOLVERS, beta_field, uses_alpha, variant_field
from leasc_ui.session.fields import Words, buttons, concrete, fields_of, ladder, menu, number, parameters, slider
from leasc_ui.session.form import Form

WEIGHTS = tuple(float(f"{digit}e{power}") for power in range(-4, 3) for digit in (1, 2, 3, 5)) + (1000.0,)
ACTIVATIONS = {
    "relu": Words("ReLU", "ReLU", "cuts off what is negative; the paper’s choice and the quickest."),
    "tanh": Words("tanh", "tanh", "bends smoothly and treats x and −x alike."),
    "sigmoid": Words("sigmoid", "sigmoid", "bends smoothly between 0 and 1."),
    "linear": Words("linear", "linear", "bends nothing: f is then one matrix."),
}
TRAINING = {
    "final": Words("final", "Once, at the end", "f learns the finished codes."),
    "joint": Words("joint", "Jointly", "f learns while Algorithm 2 runs and gives its codes back to it."),
}


@dataclass(frozen=True)
class TrainSettings:
    """As in :class:`leasc_core.RPCM`; None is the variant's own."""

    variant: str = variant_field()
    beta: float | None = beta_field(WEIGHTS)
    alpha_bar: float = ladder(
        1.0, "ᾱ, the price of a code", WEIGHTS, help="Only its ratio to β matters for the result; 1 is usual.", name="ᾱ"
    )
    alpha: float | None = ladder(
        None,
        "α, the price of uneven codes",
        WEIGHTS,
        usual=lambda settings, facts: 1.0,
        when=lambda settings, facts: uses_alpha(settings.variant),
        help="Larger, and representatives that are alike share the work.",
        name="α",
    )
    solver: str = buttons("exact", "Solver", SOLVERS)
    train: str = buttons("final", "f learns", TRAINING, when=lambda settings, facts: settings.solver == "paper")
    hidden: int = ladder(
        500,
        "Hidden units",
        (10, 20, 50, 100, 200, 500, 1000, 1500),
        help="The width of f, the network that turns any point into its code: wider is more exact and slower.",
        side_by_side=True,
    )
    epochs: int = slider(
        5,
        "Epochs at most",
        range(51),
        help="Passes of f over the codes; it ends when the held-out error stops falling. 0 leaves its first layer random.",
    )
    activation: str = menu("relu", "Activation", ACTIVATIONS, side_by_side=True)
    seed: int = number(
        0, "Seed", range(10_000), help="Another seed starts f from other random weights.", parameter="random_state"
    )

    @property
    def parameters(self) -> dict:
        """The same as parameters of :class:`leasc_core.RPCM`."""
        return parameters(self) | {"hidden": (self.hidden,)}


FORM = Form("train", TrainSettings)


def train_form(more) -> TrainSettings:
    """Draw the settings and return what is chosen now; ``more`` goes into the link."""
    chosen = FORM.draw(more=more)
    # Joint learning lives inside Algorithm 2; the choice is remembered for when that comes back.
    return chosen if chosen.solver == "paper" else replace(chosen, train="final")


def in_words(settings) -> dict[str, str]:
    """Each setting by its name in a table, as text."""
    return {field.name or field.label: field.short(concrete(settings, name)) for name, field in fields_of(settings).items()}
