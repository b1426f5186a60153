"""Step 5, the function: codes of 88 representatives taught to a network, which then codes any place of the plane."""

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np
import streamlit as st

from leasc_ui.frame.components import picture
from leasc_ui.screens.example.settings import ExampleSettings
from leasc_ui.screens.example.view import example_of
from leasc_ui.screens.tour.lines import CLOSE, pairs, paper_example
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.choices import VARIANTS
from leasc_ui.session.fields import buttons, hidden, menu
from leasc_ui.work import core

F, Z, X = symbol("function", "f"), symbol("codes", "Z"), symbol("representatives", "X")
CLASSICAL = {"no": "–", "lsr": "LSR", "lrr": "LRR", "ssc": "SSC", "ensc": "ENSC"}
# The norm of each, and its β: with these, a few iterations come near the best.
PROBLEMS = {"lsr": ("f2", 1.0), "lrr": ("nuclear", 1.0), "ssc": ("l1", 1.0), "ensc": ("elastic_net", 1.0)}
ITERATIONS, TOLERANCE = 40, 1e-2
FEW, MOST = 0.6, 0.95


def _place(text):
    """A place of the plane, as the browser writes it."""
    x, y = (float(part) for part in text.split(","))
    if not (CLOSE[0] <= x <= CLOSE[1] and CLOSE[2] <= y <= CLOSE[3]):
        raise ValueError(f"{text!r} lies outside the picture")
    return f"{x:.2f},{y:.2f}"


@dataclass(frozen=True)
class FunctionSettings(StepSettings):
    variant: str = menu("f2", "Codes", VARIANTS)
    classical: str = buttons(
        "no",
        "Compare with a classical method",
        CLASSICAL,
        help="They have no function: all 800 points are solved for, each as a mixture of the 799 others. LSR makes codes as F² "
        "does, LRR as the nuclear norm, SSC as ℓ1, ENSC as the elastic net.",
    )
    place: str = hidden("2.20,1.10", parse=_place)


def run_of(variant):
    """The paper's example, as the Four lines page computes it."""
    return example_of(ExampleSettings(variant=variant))


@lru_cache(maxsize=4)
def classical_codes(name):
    """All 800 points coded by one another (no f), the seconds that took, and the duality gap left."""
    from leasc_core.coding.problem import DEFAULT_NOISE
    from leasc_core.coding.solve import solve_codes

    (variant, beta), points = PROBLEMS[name], paper_example()[0]
    with core.working():
        begun = perf_counter()
        solved = solve_codes(
            points.T,
            variant,
            beta=beta,
            noise=DEFAULT_NOISE[variant],
            zero_diagonal=variant != "nuclear",
            tol=TOLERANCE,
            max_iter=ITERATIONS,
        )
        return solved.codes, perf_counter() - begun, solved.gap


def right_lines(codes, owners, lines):
    """The share of points whose code has its largest sum over the representatives of their own line."""
    sums = np.stack([codes[:, owners == line].sum(axis=1) for line in range(4)], axis=1)
    return float((sums.argmax(axis=1) == lines).mean())


def draw(settings, memory):
    run, rays, key = run_of(settings.variant), paper_example()[1], "tour_function_plane"
    first, top = run.network.weights
    limit = float(np.quantile(np.abs(run.codes), 0.995))
    data = {
        "box": CLOSE,
        "alt": "800 points and 88 representatives; move over the plane to see the code of any place.",
        "points": pairs(run.points),
        "groups": rays.tolist(),
        "chosen": run.representatives.tolist(),
        "owners": rays[run.representatives].tolist(),
        "hidden": first.shape[1],
        "width": top.shape[1],
        "weights": b64encode(np.concatenate([first.ravel(), top.ravel()]).astype("<f4").tobytes()).decode(),
        "most": float(np.abs(run.codes).max()),
        "place": settings.place,
        "solved": sheet(run.representative_codes.T, limit, "88, solved for"),
        "learned": sheet(run.codes.T, limit, "All 800, given by f: 88 rows"),
        "classical": _classical(settings.classical),
    }
    picture("function.js", key, data, {"place": lambda: memory.hear(key, "place")})
    st.caption("In the mosaics a column is a point and a row a representative; blue adds, orange takes away.")


def _classical(name):
    if name == "no":
        return None
    codes, seconds, gap = classical_codes(name)
    waste = f", up to {100 * gap:.0f} % from its best" if gap > TOLERANCE else ""
    title = f"{CLASSICAL[name]}, 800 rows, solved in {seconds:.1f} s{waste}"
    return sheet(strongest(codes, 2), float(np.quantile(np.abs(codes), 0.995)) or 1.0, title, codes.shape)


def strongest(matrix, block):
    """Of each block of entries the one that is largest, so that rare ones stay visible in fewer pixels."""
    rows, columns = (size // block for size in matrix.shape)
    blocks = matrix.reshape(rows, block, columns, block).swapaxes(1, 2).reshape(rows, columns, -1)
    return np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)[..., 0]


def sheet(matrix, limit, title, shape=None):
    """A matrix as signed bytes; ``shape`` is what it stands for, in rows and columns."""
    values = np.clip(np.round(127 * matrix / max(limit, 1e-12)), -127, 127).astype(np.int8)
    height, width = shape or matrix.shape
    return {
        "bytes": b64encode(values.tobytes()).decode(),
        "rows": matrix.shape[0],
        "columns": matrix.shape[1],
        "height": height,
        "width": width,
        "title": title,
    }


def question(settings):
    run, rays = run_of(settings.variant), paper_example()[1]
    unseen = np.setdiff1d(np.arange(len(rays)), run.representatives)
    share = right_lines(run.codes[unseen], rays[run.representatives], rays[unseen])
    few, most = f"{100 * FEW:.0f}", f"{100 * MOST:.0f} %"
    return Question(
        f"f has learned from {len(run.representatives)} points. How many of the other {len(unseen)} does it give most "
        "help from their own line?",
        {"few": f"Fewer than {few} %", "some": f"{few} to {most}", "most": f"More than {most}"},
        "few" if share < FEW else "some" if share < MOST else "most",
        f"**{100 * share:.3g} %**. The own line need not hold most of the weight, only more than any other. And no "
        f"equations were solved: f takes {run.network.flops_per_point:,} operations a point.",
    )


def warm():
    for variant in VARIANTS:
        run_of(variant)
    for name in PROBLEMS:
        classical_codes(name)


STEP = Step(
    name="function",
    title="A network codes points it has never seen",
    sentence="A small network, the function f, learns the representatives’ codes as examples. Then any point gets its "
    "code at once.",
    story="To search for the code of every point would take long. So a small network, the [function](function), is shown "
    "the finished [codes](codes) of the [representatives](representatives) and learns to give them by itself. It "
    "looks only at the direction in which a point lies, so points on one line get nearly the same code, whether they "
    "were there or come later.",
    kind=FunctionSettings,
    knobs=("variant",),
    note="Move over the picture, on the data or off it. The bars are the code there: one for each representative.",
    draw=draw,
    question=question,
    answers=("few", "some", "most"),
    equation=Equation(
        "The function f (Eqs. 6 and 8)",
        rf"\begin{{gathered}}{F}(y)=W_2\,\max(W_1\,y/\lVert y\rVert,\,0)\\"
        rf"\min_{{Z,f}}\;\lVert {Z}-{F}({X})\rVert_F^2+R({Z})+\beta R_3({X}-{X}{Z})\end{{gathered}}",
        "50 hidden units, no bias. Classical coding solves for $m\\times m$ numbers; here only $n\\times n$ are solved for, and "
        "the rest is read off f in time linear in $m$.",
    ),
    presets={
        "Few helpers": {"variant": "l1"},
        "Beside LSR": {"classical": "lsr"},
        "Off the data": {"place": "-0.30,2.20"},
    },
    warm=warm,
)
