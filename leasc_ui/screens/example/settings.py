"""The settings of the 800-point example."""

from dataclasses import dataclass

from leasc_ui.session.choices import SELECTORS, SOLVERS, beta_field, variant_field
from leasc_ui.session.fields import buttons, ladder, menu, number, slider
from leasc_ui.session.form import Form

FIND = "find"
MEANING = "Back to the paper’s example. The address of this page holds your choices: share it to share the view."
PRICES = tuple(float(f"{digit}e{power}") for power in range(-2, 3) for digit in (1, 2, 5)) + (1000.0,)


@dataclass(frozen=True)
class ExampleSettings:
    """What a visitor may choose; ``beta=None`` is the variant's own, ``clusters=FIND`` lets re-drawn samples decide."""

    selector: str = buttons("random", "Representatives", SELECTORS)
    representatives: int = slider(
        88,
        "Number of representatives",
        range(4, 401, 4),
        look={"step": 4},
        help="Only these are solved for; f gives codes to all the others. The paper’s selector found 88.",
    )
    variant: str = variant_field()
    beta: float | None = beta_field(PRICES)
    solver: str = buttons("exact", "Solver", SOLVERS)
    hidden: int = ladder(
        50,
        "Hidden units",
        (2, 5, 10, 20, 50, 100, 200, 500),
        help="The width of f, the network that turns a point into its code.",
        side_by_side=True,
    )
    noise: float = ladder(
        1.0,
        "Noise",
        tuple(step / 4 for step in range(13)),
        look={"format_func": lambda value: f"{value:g} ×"},
        help="Around the rays: 1 × is the paper’s example, 0 × puts every point on its ray.",
    )
    clusters: int | str = menu(
        4,
        "Clusters",
        (FIND, 2, 3, 4, 5, 6, 7, 8),
        help=f"How many to look for; “{FIND}” takes the number on which re-drawn samples agree.",
        side_by_side=True,
    )
    seed: int = number(0, "Seed", range(10_000), help="Another seed draws other points and other representatives.")


FORM = Form("example", ExampleSettings)
