"""Step 4, the algorithm one line at a time: Algorithm 2 as a film, right and broken, beside the certified solver."""

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leasc_ui.frame.components import picture
from leasc_ui.screens.tour.lines import paper_example
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.screens.tour.steps.representatives import choose
from leasc_ui.session.fields import buttons, hidden
from leasc_ui.work import core

COUNT, LONGEST, MOVES = 12, 100, 4
# The film opens where all its pictures are filled: after 40 iterations.
BEGUN = 40 * MOVES
NORMS = {"l1": "ℓ1", "nuclear": "Nuclear", "f2": "F²"}
BREAKS = {"none": "No", "gamma": "γ = 2.5", "sign": "Sign", "fast": "μ × 3"}
MEANINGS = {
    "Z": "Z: the codes, a column a point",
    "J": "J: the copy of Z that is kept cheap",
    "Q1": "Q₁: the price of Z ≠ J",
    "E": "E: what the codes leave unsaid",
    "Q2": "Q₂: the price of X ≠ XZ + E",
}
CLOSE, FAR = 0.01, 0.2


@dataclass(frozen=True)
class AlgorithmSettings(StepSettings):
    norm: str = buttons("l1", "Price of the codes", NORMS, renews=("at",))
    broken: str = buttons(
        "none",
        "Break it",
        BREAKS,
        renews=("at",),
        help="γ must stay below 2. The paper prints −Q/μ in Eq. 13. μ is meant to grow by a fifth.",
    )
    at: int = hidden(BEGUN, range(LONGEST * MOVES + 1))


@dataclass(frozen=True)
class Film:
    """A trace, the points in the order drawn, and the gaps that ``exact`` had left after its own iterations."""

    trace: object
    exact: list

    @property
    def pixels(self):
        """Z, J, Q₁, E, Q₂ of every iteration in turn, as single precision."""
        rows = [np.concatenate([each.ravel() for each in (now.Z, now.J, now.Q1, now.E, now.Q2)]) for now in self.trace.steps]
        return b64encode(np.array(rows, dtype="<f4").tobytes()).decode()


@lru_cache(maxsize=1)
def points():
    """Twelve representatives as columns, line by line: DS3's, from step 2."""
    example, rays = paper_example()
    rows = choose("ds3", COUNT)
    return example[rows[np.argsort(rays[rows], kind="stable")]].T


@lru_cache(maxsize=16)
def film(norm, broken) -> Film:
    from leasc_core.coding.paper import Schedule
    from leasc_core.coding.trace import certified_bound, trace_paper

    schedule = {"gamma": Schedule(gamma=2.5), "fast": Schedule(rho=3.0)}.get(broken, Schedule())
    with core.working(), np.errstate(over="ignore", invalid="ignore"):
        problem = _problem(norm)
        bound, exact = certified_bound(points(), **problem)
        sign = -1.0 if broken == "sign" else 1.0
        return Film(trace_paper(points(), bound=bound, schedule=schedule, sign=sign, max_iter=LONGEST, **problem), exact)


def _problem(norm):
    from leasc_core.coding.problem import DEFAULT_BETA, DEFAULT_NOISE

    return {"variant": norm, "beta": DEFAULT_BETA[norm], "noise": DEFAULT_NOISE[norm], "zero_diagonal": norm != "nuclear"}


def listing(broken):
    """Algorithm 2's lines with their numbers in the paper, as they are run here."""
    gamma, rho = ("2.5" if broken == "gamma" else "γ"), ("3" if broken == "fast" else "1.2")
    sign = "−" if broken == "sign" else "+"
    return [
        (2, "Z, J, E, Q ← 0,  μ ← 0.01"),
        (8, f"J, Z, E ← one proximal step each, pushed by r {sign} Q/μ"),
        (9, f"Q ← Q + {gamma} μ r"),
        (10, f"μ ← {rho} μ"),
        (11, "stop if ‖r‖² < 0.0001"),
    ]


def ending(trace):
    if trace.diverged:
        return "It has diverged."
    return "It stops, content." if trace.stopped else "It is still not done."


def draw(settings, memory):
    shown, key = film(settings.norm, settings.broken), "tour_algorithm_film"
    trace = shown.trace
    data = {
        "n": points().shape[1],
        "d": points().shape[0],
        "lines": listing(settings.broken),
        "meanings": MEANINGS,
        "film": shown.pixels,
        "mu": [now.mu for now in trace.steps],
        "residual": [_finite(now.residual) for now in trace.steps],
        "tolerance": 1e-4,
        "at": settings.at,
        "end": ending(trace),
        "gap": [_finite(gap) for gap in trace.gaps] if settings.revealed else None,
        "exact": shown.exact,
        "gapTitle": "Share of the cost that may be waste (duality gap)",
    }
    picture("algorithm.js", key, data, {"at": lambda: memory.hear(key, "at")})


def _finite(value):
    """JSON has no infinity."""
    return float(min(value, 1e300)) if np.isfinite(value) else 1e300


def question(settings):
    trace = film(settings.norm, settings.broken).trace
    gap, steps = trace.gaps[-1], len(trace.steps)
    truth = "never" if not trace.stopped else "close" if gap < CLOSE else "near" if gap < FAR else "far"
    if not trace.stopped:
        because = f"After {steps} iterations ‖r‖² is **{trace.steps[-1].residual:.1e}**. {ending(trace)}"
    else:
        why = (
            "Its growing μ makes steps ever smaller, until all stand still on the way. The app’s *exact* solver goes "
            "on until it can prove how near the best it is."
            if gap > CLOSE
            else "It got away with it."
        )
        because = f"It stops after {steps} rounds; up to **{100 * gap:.1f} %** of the cost is waste. {why}"
    return Question(
        "It stops when its equations nearly hold (a small residual). How much of the cost is waste then, as cheaper codes exist?",
        {"close": "Less than 1 %", "near": "1 to 20 %", "far": "More than 20 %", "never": "It never stops"},
        truth,
        because,
    )


def warm():
    for broken in BREAKS:
        for norm in NORMS:
            film(norm, broken)


STEP = Step(
    name="algorithm",
    title="Two moves and a price make two copies agree",
    sentence="For the curious; the story goes on in step 5. Codes Z and their cheap copy J move in turn; a price Q "
    "makes them agree.",
    story="The cheapest [codes](codes) are searched for with two copies. One has to give the points back, the "
    "other has to be cheap; in turn each moves a little, and a price on their difference pulls them together. The "
    "pull μ grows from round to round. Where it grows too fast, both stand still where they met, which need not be "
    "where it is cheapest.",
    kind=AlgorithmSettings,
    knobs=("broken",),
    draw=draw,
    question=question,
    answers=("close", "near", "far", "never"),
    equation=Equation(
        "Algorithm 2, line 8 (Eqs. 12–14)",
        r"\begin{aligned}"
        rf"{symbol('codes', 'J')}"
        r"&\leftarrow\operatorname{prox}_{R_1/\tau}\!\big(J+\tfrac{\mu}{\tau}(r_1+\tfrac{Q_1}{\mu})\big)\\"
        rf"{symbol('codes', 'Z')}"
        r"&\leftarrow Z+\tfrac{\mu}{\tau}\big(X^{\top}(r_2+\tfrac{Q_2}{\mu})-(r_1+\tfrac{Q_1}{\mu})\big)\\"
        r"E&\leftarrow\operatorname{prox}_{\beta R_3/\tau_E}\!\big(E+\tfrac{\mu}{\tau_E}(r_2+\tfrac{Q_2}{\mu})\big)\end{aligned}",
        "Here $r_1=Z-J$ and $r_2=X-XZ-E$. The paper prints $-Q/\\mu$ in Eq. 13: break the *Sign* to see why that is a slip. "
        "Here f is taught once at the end, so lines 4–7 rest.",
    ),
    warm=warm,
)
