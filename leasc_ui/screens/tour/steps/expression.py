"""Step 3, self-expression: a point written by others, and how the price of a code decides by whom."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leasc_ui.frame.components import picture
from leasc_ui.screens.tour.lines import CLOSE, pairs, paper_example
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.choices import VARIANTS
from leasc_ui.session.fields import hidden, menu, switch
from leasc_ui.work import core

CODES, POINTS = symbol("codes", "Z"), symbol("points", "X")
COUNT = 24
TOLERANCE = 1e-2
NOTHING = 1e-9


@dataclass(frozen=True)
class ExpressionSettings(StepSettings):
    norm: str = menu(
        "f2",
        "Which codes are cheap",
        VARIANTS,
        help="Of all mixtures that give the point, the cheapest is its code. "
        + "\n\n".join(f"**{each.label}** {each.meaning}" for each in VARIANTS.values()),
    )
    point: int = hidden(12, range(COUNT))
    itself: bool = switch(
        False,
        "A point may be mixed from itself",
        help="True, and empty: it says nothing about its line. A ring shows how much it does so.",
    )


@lru_cache(maxsize=1)
def representatives():
    """Row numbers: the points nearest to K-means centres."""
    from leasc_core.selectors import KMeansSelector

    with core.working():
        return KMeansSelector().select(paper_example()[0], COUNT, np.random.default_rng(0))


@lru_cache(maxsize=8)
def codes(norm, itself):
    """Row i is the code of representative i; ``itself`` lifts diag(Z) = 0."""
    from leasc_core.coding.problem import DEFAULT_BETA, DEFAULT_NOISE
    from leasc_core.coding.solve import solve_codes

    points = paper_example()[0][representatives()]
    with core.working():
        noise, beta = DEFAULT_NOISE[norm], DEFAULT_BETA[norm]
        return solve_codes(points.T, norm, beta=beta, noise=noise, zero_diagonal=not itself, tol=TOLERANCE).codes.T


def own_share(Z, lines):
    """Of the weight that each row puts on others, the share that lies on its own line; what it puts on itself tells nothing.

    Not a number where it puts nothing on others.
    """
    weights = np.abs(Z) * ~np.eye(len(Z), dtype=bool)
    total = weights.sum(axis=1)
    own = (weights * (lines[:, None] == lines)).sum(axis=1)
    return np.divide(own, total, out=np.full(len(Z), np.nan), where=total > NOTHING)


def draw(settings, memory):
    points, rays = paper_example()
    rows, key = representatives(), "tour_expression_plane"
    found = {name: codes(name, settings.itself) for name in VARIANTS}
    data = {
        "box": CLOSE,
        "representatives": pairs(points[rows]),
        "groups": rays[rows].tolist(),
        "backdrop": pairs(points[::2], 2),
        "backdropGroups": rays[::2].tolist(),
        "names": {name: words.short for name, words in VARIANTS.items()},
        "codes": {name: pairs(Z, 4) for name, Z in found.items()},
        "shares": {name: _or_none(own_share(Z, rays[rows])) for name, Z in found.items()},
        "point": settings.point,
        "norm": settings.norm,
        "revealed": settings.revealed,
    }
    picture("expression.js", key, data, {name: lambda name=name: memory.hear(key, name) for name in ("point", "norm")})


def _or_none(shares):
    """JSON has no word for what is not a number."""
    return [None if np.isnan(share) else round(float(share), 3) for share in shares]


def question(settings):
    lines = paper_example()[1][representatives()]
    shares = {name: np.nanmean(own_share(codes(name, settings.itself), lines)) for name in VARIANTS}
    figures = ", ".join(f"{VARIANTS[name].short} {100 * share:.0f} %" for name, share in shares.items())
    return Question(
        "Averaged over all points: which codes stay most on their own line?",
        {name: words.label for name, words in VARIANTS.items()},
        max(shares, key=shares.get),
        f"Weight on the own line: **{figures}**. Few helpers are mostly relatives. Codes that spread must be told apart by their "
        "pattern, and step 6 does that.",
    )


def warm():
    for itself in (False, True):
        for norm in VARIANTS:
            codes(norm, itself)


STEP = Step(
    name="expression",
    title="The price of a code decides who helps",
    sentence="Every point can be mixed from others, as in *this = 0.6 × that − 0.2 × that one*. These numbers are its **code**.",
    story="Many mixtures give the same point; its [code](codes) is the cheapest. What is cheap is said by a norm, a list of "
    "prices. One (ℓ1) adds up the sizes of all weights, and buys from few. One (F²) adds up their squares, so that "
    "two small weights cost less than one large one, and buys a little from everybody. The nuclear norm asks that all "
    "codes together follow few patterns. Of its own line a single [point](points) is enough to give it, and of "
    "other lines it takes two.",
    kind=ExpressionSettings,
    knobs=("norm",),
    note="Click a large point. Arrows come from its helpers, as thick as they help: blue adds, orange takes away.",
    draw=draw,
    question=question,
    answers=tuple(VARIANTS),
    equation=Equation(
        "Eq. 8 with f left out",
        rf"\begin{{gathered}}\min_{{Z,E}}\;R({CODES})+\beta\,R_3(E)\\"
        rf"\text{{s.t.}}\quad {POINTS}={POINTS}{CODES}+E,\;\operatorname{{diag}}({CODES})=0\end{{gathered}}",
        "Column $j$ of $Z$ is the code of point $j$; $E$ is what stays unsaid. Without $\\operatorname{diag}(Z)=0$ a point may "
        "write itself, $X=X\\cdot I$, which is true and tells nothing. The paper drops the rule for the nuclear norm; here it "
        "holds for all four.",
    ),
    presets={
        "As few as possible": {"norm": "l1"},
        "Everyone a little": {"norm": "f2"},
        "From itself": {"norm": "elastic_net", "itself": True},
    },
    warm=warm,
)
