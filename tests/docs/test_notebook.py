"""The notebook in docs: it is the story it was made of, it runs from top to bottom, and it tells nothing about a machine."""

import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

from leasc_ui.screens.tour.registry import steps

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_notebook", DOCS / "make_notebook.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kept():
    return nbformat.read(DOCS / "tour.ipynb", 4)


def cells(notebook):
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def kinds(notebook):
    return [[output.output_type for output in cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]


def test_it_is_the_story_as_it_stands(maker, kept):
    made = maker.notebook_of((DOCS / "tour.py").read_text(encoding="utf-8"))
    assert cells(made) == cells(kept), "run python docs/make_notebook.py"
    titles = [found for _, source in cells(kept) for found in re.findall(r"^## (\d · .*)$", source, re.M)]
    assert titles == [f"{number} · {step.title}" for number, step in enumerate(steps()[:9], 1)], "nine steps of the tour"


def test_it_holds_pictures_and_no_trace_of_a_machine(kept):
    nbformat.validate(kept)
    assert sum(kind == "display_data" for each in kinds(kept) for kind in each) == 8
    assert not any("metadata" in cell and cell.metadata for cell in kept.cells)
    text = " ".join(output.text for cell in kept.cells for output in cell.get("outputs", []) if output.output_type == "stream")
    assert "1820/1843" in text and not re.search(r"/\w+/|\bseconds\b|Warning", text)
    assert (DOCS / "tour.ipynb").stat().st_size < 300_000


@pytest.mark.slow
def test_it_runs_from_top_to_bottom(maker, kept):
    """Every cell again; an error or a warning in one is raised."""
    again = maker.run(maker.notebook_of((DOCS / "tour.py").read_text(encoding="utf-8")))
    assert kinds(again) == kinds(kept)
