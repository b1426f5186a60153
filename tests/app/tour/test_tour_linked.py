"""The story of a step: every idea it names is known and stands in equation or picture; the real pictures of the last step."""

import re

import numpy as np
import pytest

from leasc_ui.screens.tour.digits import SHOWN, pictures, sheet, sorted_by
from leasc_ui.screens.tour.linked import IDEAS, TERM, story_html
from leasc_ui.screens.tour.registry import steps
from leasc_ui.session.fields import fields_of


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.name)
def test_a_story_names_known_ideas_and_reads_without_symbols(step):
    named = [idea for _, idea in TERM.findall(step.story)]
    assert set(named) <= set(IDEAS)
    assert "$" not in step.story and "\\" not in step.story
    assert 30 <= len(step.story.split()) <= 110, "half a minute to read"
    coloured = {tuple(bytes.fromhex(found)) for found in re.findall(r"\\textcolor\{#(\w+)\}", step.equation.latex)}
    assert coloured == {IDEAS[idea].colour for idea in named}, "each idea of the words stands in the formula, and none besides"
    assert set(step.knobs or ()) <= set(fields_of(step.kind)) and len(step.knobs or ()) <= 2


def test_data_in_a_story_cannot_be_markup():
    assert "<b>" not in story_html("a <b> [<i>](points)") and "&lt;i&gt;" in story_html("[<i>](points)")


def test_a_row_of_the_sheet_holds_pictures_of_its_cluster_alone():
    X, y = pictures()
    drawn = sheet(np.where(y == 3, 3, 0))
    tiles = drawn[31:39].reshape(8, SHOWN, 10)[:, :, 1:9].swapaxes(0, 1).reshape(SHOWN, 64)
    threes = {row.tobytes() for row in (X[y == 3] / X.max()).astype(np.float32)}
    assert all(tile.astype(np.float32).tobytes() in threes for tile in tiles)
    assert not drawn[11:19].any(), "a cluster without members has no pictures"


def test_digits_are_sorted_better_than_by_k_means():
    assert sorted_by("leasc").accuracy > sorted_by("kmeans").accuracy + 0.05
