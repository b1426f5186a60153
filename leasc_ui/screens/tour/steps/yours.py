"""Step 10, real data: handwriting sorted by the same steps, and then the visitor's own file."""

from dataclasses import dataclass, replace

import streamlit as st

from leasc_ui.screens.home.way_in import open_demo, show_upload
from leasc_ui.screens.tour.digits import sheet, sorted_by
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.matrices import matrices_html
from leasc_ui.screens.tour.step import IN_ONE_BREATH, Equation, Question, Step, StepSettings
from leasc_ui.screens.tour.steps.function import FunctionSettings
from leasc_ui.screens.train.settings import FORM as TRAIN
from leasc_ui.session.choices import VARIANTS
from leasc_ui.session.fields import buttons
from leasc_ui.session.form import Form
from leasc_ui.session.state import current_session

METHODS = {"kmeans": "K-means", "leasc": "This tour’s method, LeaSC"}
HEIGHT = 330
Y = symbol("points", "Y")


@dataclass(frozen=True)
class YoursSettings(StepSettings):
    method: str = buttons("leasc", "Sorted by", METHODS, when=lambda settings, facts: bool(settings.guess))


def draw(settings, memory):
    found = sorted_by(settings.method) if settings.revealed else None
    title = "Some of 1,797 digits, as they come: predict first"
    if found is not None:
        title = f"{METHODS[settings.method]}, a row a cluster: {100 * found.accuracy:.0f} % right"
    alt = f"Small pictures of handwritten digits in rows. {title}."
    st.html(matrices_html([(title, sheet(None if found is None else found.labels), alt, "points")], 1.0, HEIGHT))
    st.info(f"That was the tour. {IN_ONE_BREATH}", icon=":material/flag:")
    _carry_codes()
    show_upload()
    if st.button("Or open these digits in the app", icon=":material/arrow_forward:", key="tour_open_digits"):
        open_demo(current_session(), "digits")


def _carry_codes():
    """The codes that the visitor chose in step 5 are those that Train begins with."""
    chosen = Form("tour_function", FunctionSettings).settings.variant
    if chosen != FunctionSettings.variant and TRAIN.settings.variant == TRAIN.kind.variant:
        TRAIN.put(replace(TRAIN.settings, variant=chosen))
    if TRAIN.settings.variant != TRAIN.kind.variant:
        st.caption(f"Training your data begins with the codes you chose: {VARIANTS[TRAIN.settings.variant].label}.")


def question(settings):
    ours, blobs = sorted_by("leasc").accuracy, sorted_by("kmeans").accuracy
    digit, share = sorted_by("leasc").hardest
    return Question(
        "Nobody tells which digit is which, only that there are ten. How many of 1,797 land with their own kind?",
        {"few": "Fewer than 50 %", "some": "50 to 80 %", "most": "More than 80 %"},
        "few" if ours < 0.5 else "some" if ours <= 0.8 else "most",
        f"**{100 * ours:.0f} %**; K-means **{100 * blobs:.0f} %**. Writing a digit a little otherwise moves its picture along a "
        f"few directions, so one kind of digit is nearly flat. Hardest are the {digit}s, {100 * share:.0f} % of them right.",
    )


def warm():
    for method in METHODS:
        sorted_by(method)


STEP = Step(
    name="yours",
    title="The same steps sort real handwriting",
    sentence="Four lines were a toy. Here a point is a picture of 64 pixels; nothing else is different.",
    story="A picture of 8 × 8 pixels is 64 numbers, and so one of the [points](points) in a space of 64 directions. Nobody "
    "can draw that space, but a line in it is still what it was: pictures that are mixtures of a few others. Your own "
    "table, spectra or tracks are points in the same sense: a row is a point, a column a direction.",
    kind=YoursSettings,
    draw=draw,
    question=question,
    answers=("few", "some", "most"),
    equation=Equation(
        "Nothing new",
        rf"{Y}\in\mathbb{{R}}^{{64\times 1797}},\qquad f({Y})\in\mathbb{{R}}^{{500\times 1797}}",
        "500 representatives, squared codes, landmarks; pictures at length one. In the app the preparation, the graph and the "
        "number of clusters are found for you, without labels.",
    ),
    warm=warm,
)
