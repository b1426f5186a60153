"""Whatever a link says of a setting, it becomes a sound value or is passed over."""

import pytest

from leasc_ui.data.choices import Cleaning, Making
from leasc_ui.screens.cluster.choices import ClusterChoices
from leasc_ui.screens.compare.settings import CompareChoices
from leasc_ui.screens.example.settings import ExampleSettings
from leasc_ui.screens.representatives.settings import RepresentativeChoices
from leasc_ui.screens.theory.settings import TheoryChoices
from leasc_ui.screens.tour.registry import steps
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.fields import fields_of, from_address, to_address
from tests.app.visits import HOSTILE

PAGES = (Cleaning, Making, ClusterChoices, CompareChoices, ExampleSettings, RepresentativeChoices, TheoryChoices, TrainSettings)
KINDS = [*PAGES, *(step.kind for step in steps())]


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_words_are_passed_over(kind):
    usual = kind()
    for name, field in fields_of(kind).items():
        for words in HOSTILE:
            found = from_address(usual, {name: words})
            free = (field.options == () or field.parse is not None) and isinstance(getattr(found, name), (str, int))
            assert found == usual or free, (name, words[:40])
            assert to_address(from_address(usual, to_address(found))) == to_address(found)
