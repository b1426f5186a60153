"""The rows of a comparison as what a page shows: a line a method, which one is best, and whether seeds tell. No Streamlit."""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from leasc_core import baselines
from leasc_core.bench import RECIPES, Recipe, Table
from leasc_core.bench.request import request_of
from leasc_core.bench.tables.significance import LEVEL, verdicts

# A run that got less than this share of a processor shared the machine.
BUSY = 0.8
MARKS = {"best": "★", "equal": "≈", "open": "≈"}
SCORE_HEADS = {"acc": "ACC %", "nmi": "NMI %", "ari": "ARI %", "residual": "residual %", "stability": "stability %"}


@dataclass(frozen=True, eq=False)
class Comparison:
    """What there is of a comparison: its table, the methods in the order asked, and each one's verdict."""

    folder: Path
    story: object
    table: Table
    methods: list
    lines: dict = field(repr=False)
    verdicts: dict = field(repr=False)

    @property
    def score(self):
        """What methods are ordered by: "acc", or without labels "residual", of which less is better."""
        return "acc" if self.story.labelled else "residual"

    @property
    def best(self):
        """The method with the best mean, or None while there is none."""
        return next((name for name, verdict in self.verdicts.items() if verdict.kind == "best"), None)

    def ordered(self):
        """All methods asked for, the best first, those without a score last."""
        sign = -1 if self.score == "acc" else 1
        scored = [name for name in self.methods if self.lines.get(name, {}).get(self.score) is not None]
        return sorted(scored, key=lambda name: sign * self.lines[name][self.score]) + [m for m in self.methods if m not in scored]

    def rows_of(self, method):
        return [row for row in self.table.rows if row["method"] == method]


def comparison_of(folder, story, rows) -> Comparison:
    """The rows that are there, told together."""
    asked = request_of(folder)
    methods = [name for name, _ in asked["methods"]]
    own = Recipe("comparison", story.title, (), "", None, story.clusters, ())
    table = Table(RECIPES.get(story.subject, own), rows, Path(folder))
    lines = {line["method"]: line for line in table.summary()}
    name = "acc" if story.labelled else "residual"
    scores = {method: {row["seed"]: row[name] for row in rows if row["method"] == method and name in row} for method in methods}
    return Comparison(Path(folder), story, table, methods, lines, verdicts(scores, larger_is_better=story.labelled))


def frame_of(comparison, methods):
    """A line a method, in the order given; numbers stay numbers, so that a click on a head sorts by them."""
    frame = pd.DataFrame([_line(comparison, name) for name in methods])
    numbers = [name for name in frame if "%" in name or name in ("± sd", "seconds", "MB")]
    return frame.astype(dict.fromkeys(numbers, float))


def _line(comparison, name):
    line, verdict = comparison.lines.get(name), comparison.verdicts.get(name)
    cells = {"": MARKS.get(verdict.kind, "") if verdict else "", "method": baselines.get(name).label}
    heads = [head for head in SCORE_HEADS if (head in ("acc", "nmi", "ari")) == comparison.story.labelled]
    for at, score in enumerate(heads):
        cells[SCORE_HEADS[score]] = _percent(line, score)
        if at == 0:
            cells["± sd"] = _percent(line, f"{score}_sd")
    if comparison.table.recipe.paper:
        paper = comparison.table.recipe.paper.get(name)
        cells["paper ACC %"] = None if paper is None else paper[0]
    cells["seconds"] = None if line is None else line.get("seconds")
    cells["MB"] = None if line is None else line.get("megabytes")
    cells["seeds"] = 0 if line is None else line["seeds"]
    cells["against the best"] = words_of(line, verdict)
    return cells


def words_of(line, verdict):
    """How a method stands against the best one, in words."""
    if line is None:
        return "…"
    if verdict is None:
        return line["message"] or "…"
    said = {
        "best": "best",
        "equal": "the same on every seed",
        "alone": "one seed tells nothing",
        "open": f"not told apart{_p(verdict)}",
        "worse": f"worse{_p(verdict)}",
    }[verdict.kind]
    return f"{said} on every seed alike" if verdict.fixed else said


def styled(frame):
    """Numbers with as many digits as mean something; what is not there yet is blank."""
    digits = {"seconds": "{:.2f}", "MB": "{:,.0f}"}
    numbers = frame.columns[frame.dtypes.map(pd.api.types.is_float_dtype)]
    return frame.style.format({name: digits.get(name, "{:.1f}") for name in numbers}, na_rep="")


def how_told(comparison, active=False):
    """One sentence on the test behind the last column."""
    counts = [verdict.seeds for verdict in comparison.verdicts.values()]
    seeds = max(counts, default=0)
    if seeds < 2 and active:
        return "What seeds can tell apart is said when there are two of them."
    if seeds < 2:
        return "With one seed nothing can be said of chance: take three or more to tell methods apart."
    few = " With so few seeds only large differences are told apart." if seeds < 5 else ""
    return (
        f"★ has the best mean; ≈ is not told apart from it. Paired t-tests over {seeds} seeds against the best, p corrected for "
        f"the number of methods (Holm), {LEVEL:.0%} level.{few}"
    )


def how_busy(comparison):
    """What is to be known of the seconds where the machine had other work; nothing where it had none."""
    timed = [row for row in comparison.table.rows if row.get("processor") is not None]
    busy = sum(row["processor"] < BUSY * row["seconds"] for row in timed)
    if not busy:
        return ""
    return f"In {busy} of {len(timed)} runs this server was busy with other work, so seconds say more of that than of the method."


def _p(verdict):
    if verdict.p is None:
        return ""
    return ", p < 0.001" if verdict.p < 0.001 else f", p = {verdict.p:.2g}"


def _percent(line, name):
    value = None if line is None else line.get(name)
    return None if value is None else 100 * value
