"""The profile of all clusters as one table: the same on the page, in the report and as CSV."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO

import numpy as np

from ..data.writers import neutral
from .profile import Profiles

# An effect of half a standard deviation is seen with the bare eye (Cohen's "medium"); smaller ones are not told.
TOLD_FROM = 0.5
MOST_TOLD = 3


@dataclass(frozen=True, eq=False)
class Facts:
    """What else is known of the clusters, in their order; None or an empty list where it is not known.

    ``dimensions``, ``confidence`` (0 to 1) and ``nearest`` (names) have one value a cluster, ``beside`` a list of
    :class:`~.beside.Found`, ``notes`` a text.
    """

    names: Sequence[str]
    dimensions: Sequence | None = None
    confidence: Sequence | None = None
    nearest: Sequence | None = None
    beside: Sequence = field(default_factory=list)
    notes: Sequence | None = None


def amount(value: float) -> str:
    """A number as a person writes it: four digits, thousands apart."""
    size = abs(value)
    if value != value or not size:
        return "0" if value == 0 else "none"
    if size >= 1e9 or size < 1e-3:
        return f"{value:.2e}"
    text = f"{value:,.{max(0, 3 - int(np.floor(np.log10(size))))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def told(profiles: Profiles, cluster: int, at: int) -> str:
    """A column of a cluster in words: ``temp 31.2 (elsewhere 20.1)``."""
    here, there = profiles.means[cluster, at], profiles.means_elsewhere[cluster, at]
    return f"{profiles.columns[at]} {amount(here)} (elsewhere {amount(there)})"


def high_and_low(profiles: Profiles, cluster: int, most: int = MOST_TOLD) -> tuple:
    """``(high, low)``: what is told of a cluster's columns, the largest effect first."""
    ends = profiles.highest(cluster, most), profiles.lowest(cluster, most)
    return tuple([told(profiles, cluster, at) for at in end if abs(profiles.effects[cluster, at]) >= TOLD_FROM] for end in ends)


def goes_with_words(found) -> str:
    """A value that goes with a cluster: ``machine: press (70 %, elsewhere 30 %)``."""
    return f"{found.column}: {found.value} ({_share(found.share)}, elsewhere {_share(found.elsewhere)})"


def table(profiles: Profiles, facts: Facts) -> list:
    """A dictionary for each cluster; what is not known is left out of all."""
    rows = []
    for at, name in enumerate(facts.names):
        high, low = high_and_low(profiles, at)
        row = {"cluster": str(name), "points": int(profiles.sizes[at]), "share": float(profiles.shares[at])}
        row |= {"confidence": _number(facts.confidence, at)} if facts.confidence is not None else {}
        row |= {"dimensions": _number(facts.dimensions, at)} if facts.dimensions is not None else {}
        row |= {"high": "; ".join(high), "low": "; ".join(low)}
        row |= {"goes with": "; ".join(map(goes_with_words, facts.beside[at][:MOST_TOLD]))} if any(facts.beside) else {}
        row |= {"nearest": str(facts.nearest[at])} if facts.nearest is not None else {}
        row |= {"note": facts.notes[at]} if facts.notes is not None and any(facts.notes) else {}
        rows.append(row)
    return rows


def csv_of(profiles: Profiles, facts: Facts) -> bytes:
    """The table, and behind it every column's mean, median and effect, in full; no cell is taken for a formula."""
    import csv

    stream = StringIO()
    writer = csv.writer(stream)
    parts = {"mean": profiles.means, "median": profiles.medians, "effect": profiles.effects}
    rows = table(profiles, facts)
    wide = [f"{part} {column}" for column in profiles.columns for part in parts]
    writer.writerow([neutral(name) for name in [*(rows[0] if rows else ()), *wide]])
    for at, row in enumerate(rows):
        figures = [_cell(values[at, column]) for column in range(len(profiles.columns)) for values in parts.values()]
        writer.writerow([neutral(value) if isinstance(value, str) else value for value in row.values()] + figures)
    return stream.getvalue().encode()


def _cell(value):
    return "" if value != value else repr(float(value))


def _number(values, at):
    return None if values[at] is None or values[at] != values[at] else float(values[at])


def _share(value):
    return f"{100 * value:.0f} %" if value >= 0.1 or value == 0 else f"{100 * value:.1f} %"
