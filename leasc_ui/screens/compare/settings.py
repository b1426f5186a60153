"""The settings of the Compare page: which data, which methods or values, and what all are told. Their facts are the subject."""

from dataclasses import dataclass

import streamlit as st

from leasc_core.bench import QUALITIES, SCORES
from leasc_ui.screens.compare.data import YOURS, titles
from leasc_ui.screens.compare.methods import families, from_text, help_of, takes, to_text, usual_methods
from leasc_ui.screens.compare.sweep.values import AXES, COLOURS, NOTHING, WEIGHTED, paper_values, usual_values
from leasc_ui.session.choices import VARIANTS, uses_alpha
from leasc_ui.session.fields import buttons, hidden, menu, number, words
from leasc_ui.session.form import Form

METHODS, SWEEP = "methods", "sweep"
MOST_SEEDS, MOST_CLUSTERS, MOST_REPRESENTATIVES = 20, 1000, 5000
LONGEST = 200
TITLES = {name: axis.title for name, axis in AXES.items()}
DATA_HELP = (
    "Your data as they stand on the Data page, a sample set, or one of the paper’s experiments whose files lie in the server’s "
    "data folder."
)
CLUSTERS_HELP = "Every method is told to look for so many. At first {}."
COLOUR_HELP = (
    "**ACC, NMI, ARI** look at the labels: choosing a cell by them is an oracle’s choice. **Stability, eigengap** and "
    "**code error** need no labels: agreement of the labels over re-drawn representatives, how clearly the spectrum ends "
    "after k values, and how far f is from the classical code at points it was not taught."
)


def _methods(text):
    if not from_text(text):
        raise ValueError(text)
    return to_text(from_text(text))


def _usual_values(side):
    return lambda settings, subject: usual_values(getattr(settings, side), subject.shape[0])


def _known(settings, subject):
    return CLUSTERS_HELP.format("the number of known classes" if subject.labelled else "the number found, or 4")


@dataclass(frozen=True)
class CompareChoices:
    """What the page remembers; None is what belongs to the data."""

    view: str = buttons(
        METHODS, "View", {METHODS: "Methods", SWEEP: "Sweep"}, look={"label_visibility": "collapsed", "width": "content"}
    )
    data: str = menu(YOURS, "Data", (YOURS, *titles()), renews=("methods", "clusters", "representatives"), help=DATA_HELP)
    methods: str | None = hidden(None, parse=_methods, usual=lambda settings, subject: to_text(usual_methods(subject.shape[0])))
    seeds: int = number(
        3,
        "Seeds",
        range(1, MOST_SEEDS + 1),
        help="Each method runs once a seed; three or more tell whether a difference is chance.",
    )
    clusters: int | None = number(
        None,
        "Clusters",
        range(2, MOST_CLUSTERS + 1),
        usual=lambda settings, subject: subject.clusters,
        limits=lambda subject: (2, max(2, min(MOST_CLUSTERS, subject.shape[0]))),
        help=_known,
    )
    representatives: int | None = number(
        None,
        "Representatives",
        range(2, MOST_REPRESENTATIVES + 1),
        usual=lambda settings, subject: subject.representatives,
        limits=lambda subject: (2, min(MOST_REPRESENTATIVES, subject.shape[0])),
        help="For LeaSC and other encoders, and as many samples for methods that work from a sample.",
    )
    down: str = menu("alpha", "Down", {**TITLES, NOTHING: "Nothing: one parameter only"}, renews=("down_values",))
    across: str = menu("beta", "Across", TITLES, renews=("across_values",))
    down_values: str | None = words(None, "Values", lambda text: text[:LONGEST], usual=_usual_values("down"))
    across_values: str | None = words(None, "Values", lambda text: text[:LONGEST], usual=_usual_values("across"))
    variant: str = menu("elastic_net", "Codes", VARIANTS)
    draws: int = number(
        2, "Fits a cell", range(1, 11), help="Each draws its own representatives; stability of the labels needs two or more."
    )
    colour: str | None = buttons(
        None,
        "Colour by",
        COLOURS,
        usual=lambda settings, subject: "acc" if subject.labelled else "stability",
        help=COLOUR_HELP,
        look={"width": "content"},
    )


FORM = Form("compare", CompareChoices, stays=("view", "data"))


def compare_form(session, subject):
    """Draw the form of the view that is looked at; ``subject()`` gives the data that are chosen now."""
    _data_menu(session)
    found = subject()
    if FORM.settings.view == METHODS:
        _method_pills(found)
        left, right = st.columns(2, wrap=False)
        FORM.field("seeds", place=left)
        _clusters(found, right)
        FORM.field("representatives", found)
    else:
        _sweep_form(found)


def colour_buttons(labelled, subject):
    """What cells are coloured by: scores where there are labels, and what needs none."""
    options = {name: COLOURS[name] for name in (*(SCORES if labelled else ()), *QUALITIES, "seconds")}
    FORM.field("colour", subject, options=options)


def _data_menu(session):
    """Which data; the visitor's own come first."""
    own = session.pipeline.ready("data")
    names = {YOURS: "Your data" if own is None else f"Your data: {own.name}", **titles()}
    FORM.field("data", options={name: title for name, title in names.items() if name != YOURS or own is not None})


def _clusters(subject, place):
    FORM.field("clusters", subject, place, disabled=subject.data is None)


def _method_pills(subject):
    """A row of pills a family; what refuses so many points is struck through."""
    points, chosen = subject.shape[0], FORM.settings.methods
    usual = to_text(usual_methods(points))
    wanted, found = from_text(usual if chosen is None else chosen), []
    for number_, (title, family) in enumerate(families().items()):
        labels = {each.name: each.label if takes(each.name, points) else f":gray[~~{each.label}~~]" for each in family}
        given = {"selection_mode": "multi", "format_func": labels.get, "help": help_of(family)}
        found += FORM.show(
            f"pills_{number_}",
            [name for name in labels if name in wanted],
            lambda title=title, labels=labels, given=given, **more: st.pills(title, tuple(labels), **given, **more),
        )
    if to_text(found) != to_text(wanted):
        FORM.change(methods=None if to_text(found) == usual else to_text(found))


def _sweep_form(subject):
    """Two parameters and their values, and what is told to every cell."""
    with st.container(horizontal=True, gap="small"):
        _figure(
            "Fig. 7: α × β", "grid_on", "compare_fig7", "α and β of the elastic net, the paper’s two weights.", "alpha", "beta"
        )
        _figure(
            "Fig. 8: how many",
            "show_chart",
            "compare_fig8",
            "Scores over the number of representatives.",
            NOTHING,
            "n_representatives",
        )
    for side in ("across", "down"):
        name = FORM.field(side, subject)
        if name != NOTHING:
            meaning = f"With commas between them: {AXES[name].limits}."
            label = f"Values of {AXES[name].short}"
            FORM.field(f"{side}_values", subject, label=label, label_visibility="collapsed", help=meaning)
    swept = {FORM.settings.across, FORM.settings.down}
    if swept & WEIGHTED:
        st.button(
            "The paper’s 11 values",
            icon=":material/menu_book:",
            type="tertiary",
            key="compare_paper_grid",
            on_click=_paper_grid,
            help="From 0.0001 to 100, as in Fig. 7; 121 cells if both axes are weights.",
        )
    if "variant" not in swept:
        FORM.field("variant", subject)
        if "alpha" in swept and not uses_alpha(FORM.settings.variant):
            st.caption(":material/info: Only the elastic net has an α; with these codes it changes nothing.")
    left, right = st.columns(2, wrap=False)
    FORM.field("draws", subject, left)
    if "n_clusters" not in swept:
        _clusters(subject, right)
    if "n_representatives" not in swept:
        FORM.field("representatives", subject)
    st.caption("Everything else is as it stands on Representatives and Train, so that a cell can be loaded there.")


def _figure(label, icon, key, meaning, down, across):
    given = {"down": down, "across": across, "down_values": None, "across_values": None}
    given |= {"variant": "elastic_net"} if down == "alpha" else {}
    st.button(label, icon=f":material/{icon}:", type="tertiary", key=key, on_click=FORM.change, kwargs=given, help=meaning)


def _paper_grid():
    settings = FORM.settings
    FORM.change(**{f"{side}_values": paper_values() for side in ("down", "across") if getattr(settings, side) in WEIGHTED})
