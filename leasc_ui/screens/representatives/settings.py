"""The settings of the Representatives page; their facts are the data."""

from dataclasses import dataclass

from leasc_ui.screens.representatives.compute import FEWEST, MOST, usual_count
from leasc_ui.session.choices import SELECTORS
from leasc_ui.session.fields import buttons, concrete, number, slider
from leasc_ui.session.form import Form
from leasc_ui.session.pipeline import RepresentativeSettings

MEANING = "Back to the usual choice for this data. The page’s address holds your choices: share it to share the view."


def _most(data):
    return min(MOST, len(data.points))


def _how_many(settings, data):
    points = len(data.points)
    return f"More cover better; training grows with their cube. Usual for {points:,} points: {usual_count(points):,}."


@dataclass(frozen=True)
class RepresentativeChoices:
    """What the page remembers; ``count=None`` is the usual number for the data, ``subspaces`` only serves Proposition 1."""

    selector: str = buttons(
        "random",
        "How they are chosen",
        SELECTORS,
        below=lambda s: f"{SELECTORS[s.selector].label} {SELECTORS[s.selector].meaning}",
    )
    count: int | None = slider(
        None,
        "How many",
        range(FEWEST, MOST + 1),
        usual=lambda settings, data: usual_count(len(data.points)),
        limits=lambda data: (min(FEWEST, _most(data)), _most(data)),
        when=lambda settings, data: _most(data) > FEWEST,
        help=_how_many,
    )
    seed: int = number(0, "Seed", range(10_000), help="Another seed draws another choice.")
    subspaces: int = number(
        10,
        "Subspaces to assume",
        range(1, 1001),
        when=lambda settings, data: data.labels is None,
        help="Your data has no labels, so Proposition 1 needs a guess: so many subspaces with equally many points.",
    )

    def settings(self, data) -> RepresentativeSettings:
        """The same for these data, with a number."""
        return RepresentativeSettings(self.selector, min(concrete(self, "count", data), len(data.points)), self.seed)


def choices_of(settings: RepresentativeSettings, data) -> RepresentativeChoices:
    """A choice that was made, as the page remembers it: the usual number is not told."""
    count = None if settings.count == usual_count(len(data.points)) else settings.count
    return RepresentativeChoices(settings.selector, count, settings.seed)


FORM = Form("representatives", RepresentativeChoices)
