"""Step 2, representatives: a few points that stand for all, how far they reach, and who is left out."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leasc_ui.frame.components import picture
from leasc_ui.screens.tour.lines import CLOSE, pairs, paper_example
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.choices import SELECTORS
from leasc_ui.session.fields import buttons, hidden, ladder
from leasc_ui.work import core

COUNTS = (4, 8, 12, 16, 24, 32, 48, 64, 88)
# DS3 weighs every pair of points; among so many it answers at once.
CANDIDATES = 200
MOST_CLICKS = 100
CALM, CLEAR = 1.25, 2.0


def _clicks(text):
    """The clicked points of an address, as the browser writes them: 12.40.300."""
    rows = sorted({int(part) for part in text.split(".") if part})
    if len(rows) > MOST_CLICKS or (rows and not 0 <= rows[0] <= rows[-1] < len(paper_example()[0])):
        raise ValueError(f"{text!r} names no points of this example")
    return ".".join(map(str, rows))


@dataclass(frozen=True)
class RepresentativesSettings(StepSettings):
    selector: str = buttons("random", "Chosen by", SELECTORS, renews=("toggled",))
    count: int = ladder(24, "How many to begin with", COUNTS, renews=("toggled",))
    radius: float = hidden(0.35, tuple(step / 100 for step in range(5, 151)))
    toggled: str = hidden("", parse=_clicks)


@lru_cache(maxsize=64)
def choose(selector, count):
    """The representatives a selector takes of the paper's 800 points."""
    from leasc_core.selectors import DS3Selector, get_selector

    points, _ = paper_example()
    with core.working():
        chosen = DS3Selector(coreset=CANDIDATES) if selector == "ds3" else get_selector(selector)
        return chosen.select(points, count, np.random.default_rng(0))


@lru_cache(maxsize=64)
def radius_of(selector, count):
    """ρ of Definition 1, whatever the line of a point."""
    from leasc_core.theory.radius import representative_radius

    return representative_radius(paper_example()[0], choose(selector, count)).radius


def draw(settings, memory):
    points, rays = paper_example()
    key = "tour_representatives_plane"
    data = {
        "box": CLOSE,
        "points": pairs(points),
        "groups": rays.tolist(),
        "radius": settings.radius,
        "toggled": settings.toggled,
        "chosen": choose(settings.selector, settings.count).tolist(),
    }
    picture("representatives.js", key, data, {name: lambda name=name: memory.hear(key, name) for name in ("radius", "toggled")})


def question(settings):
    """The two radii at this number of representatives."""
    by_chance, by_ds3 = radius_of("random", settings.count), radius_of("ds3", settings.count)
    times = by_chance / by_ds3
    why = "Chance takes some close together, and leaves gaps." if times >= CALM else "This time chance did well."
    return Question(
        f"**DS3** picks representatives near to everyone, chance picks any. {settings.count} discs must hold every "
        "point: how much larger must the random ones be?",
        {"same": "Hardly larger", "larger": f"{CALM:g} to {CLEAR:g} times", "far": f"More than {CLEAR:g} times"},
        "same" if times < CALM else "larger" if times < CLEAR else "far",
        f"Radius ρ at random **{by_chance:.2f}**, by DS3 **{by_ds3:.2f}**. {why}",
    )


def warm():
    for count in COUNTS:
        choose("ds3", count)


STEP = Step(
    name="representatives",
    title="Two dozen points can stand for eight hundred",
    sentence="Comparing all with all is costly, so a few points stand for the rest. Who is in no disc has nobody near.",
    story="To compare 800 [points](points) with one another takes 640,000 comparisons; with 24 "
    "[representatives](representatives), 19,200. Every point should have one of them near. How far the loneliest "
    "point is from its nearest representative is one number, the radius ρ: the smaller it is, the better the few "
    "stand for all.",
    kind=RepresentativesSettings,
    knobs=("count",),
    note="Or click any point in the picture to add or remove it.",
    draw=draw,
    question=question,
    answers=("same", "larger", "far"),
    equation=Equation(
        "The representative radius (Definition 1)",
        rf"\rho=\max_j\;\min_i\;\lVert {symbol('points', 'y_j')}-{symbol('representatives', 'x_i')}\rVert_2",
        "The smallest radius at which discs around the representatives $x_i$ hold every point $y_j$. The paper measures it "
        f"line by line, and takes 88 of 800. To be quick, DS3 here weighs {CANDIDATES} points.",
    ),
    presets={
        "Four at random": {"count": 4},
        "Four by DS3": {"count": 4, "selector": "ds3"},
        "The paper’s 88": {"count": 88, "selector": "ds3", "radius": 0.2},
    },
    warm=warm,
)
