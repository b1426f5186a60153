"""A section of the Theory page: Table II with the visitor's own numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.theory.costs import costs_chart, legend_html
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.screens.theory.compute import sizes_for

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
# On a phone the table is pushed sideways, and a formula is never broken.
STYLE = """<style>.st-key-theory_table [data-testid=stMarkdownContainer]:has(table){overflow-x:auto}
.st-key-theory_table td{white-space:nowrap}</style>"""
UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")


def show_cost(subject, chosen):
    """Table II."""
    from leasc_core.theory.complexity import TABLE

    m = chosen.points or len(subject.source)
    sizes = sizes_for(subject, m, chosen.iterations)
    ours, classical = (next(row for row in TABLE if row.method == name) for name in ("RPCM F²", "LSR"))
    tiles(
        ("RPCM F²", _power(ours.total(sizes)), "Operations up to a constant, training and coding."),
        ("LSR, classical", _power(classical.total(sizes)), "The cheapest classical row of the table."),
        ("Codes by f", _bytes(ours.stored(sizes)), "Codes of all points in single precision, n numbers a point."),
        ("Classical codes", _bytes(classical.stored(sizes)), "m numbers a point."),
    )
    st.subheader("What would it cost?", anchor=False)
    st.markdown(
        f"With m = {m:,}, n = {sizes.n:,}, d = {sizes.d:,} and hidden layers of {', '.join(map(str, sizes.hidden)) or 'none'}: "
        "to code ten times the points costs f ten times as much, and classical coding a thousand times."
    )
    st.html(legend_html([(row.method, row.length == "n") for row in TABLE]))
    grid = np.unique(np.geomspace(100, 1e9, 29).round()).astype(int).tolist()
    curves = pd.DataFrame(
        [(row.method, row.length == "n", at, float(row.total(replace(sizes, m=at)))) for row in TABLE for at in grid],
        columns=["method", "learned", "points", "operations"],
    )
    show(costs_chart(curves, m), "theory_costs")
    st.caption("The table leaves constants out, and they differ: compare slopes, and do not read seconds.")
    st.html(STYLE)
    with st.expander("Table II with these numbers", icon=":material/table:", expanded=True, key="theory_table"):
        st.markdown(table_markdown(sizes))
        st.caption(
            f"t₁ = {sizes.epochs} epochs, t₂ = {sizes.iterations} iterations, Σ ιᵢιᵢ₋₁ = {sizes.weights:,} weights of f. "
            "Source: the paper’s Table II; its row of ℓ1 prints D for d."
        )


def table_markdown(sizes):
    """Table II with these sizes: operations, what is stored, and both formulas."""
    from leasc_core.theory.complexity import TABLE

    head = "| | operations | codes stored | training | coding |\n|---|---|---|---|---|\n"
    return head + "\n".join(
        f"| {row.method} | {_power(row.total(sizes))} | {_bytes(row.stored(sizes))} | ${row.training}$ | ${row.coding}$ |"
        for row in TABLE
    )


def _power(number):
    exponent = len(str(int(number))) - 1
    return f"{number:,}" if exponent < 5 else f"{number / 10**exponent:.1f} · 10{str(exponent).translate(RAISED)}"


def _bytes(numbers):
    """The size of so many numbers in single precision."""
    return readable_size(4 * numbers)


def readable_size(size):
    """So many bytes in the unit a person would take."""
    power = min((len(str(size)) - 1) // 3, len(UNITS) - 1)
    return f"{size / 1000**power:.3g} {UNITS[power]}"
