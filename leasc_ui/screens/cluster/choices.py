"""What may be chosen on the Cluster page: what is asked for, and how the answer is looked at."""

from dataclasses import dataclass

from leasc_core.prepare.preparation import NAMES
from leasc_core.spectral.kept import KEPT_GRAPHS
from leasc_ui.results.asked import AUTO, ClusterSettings
from leasc_ui.results.colours import BY_CLASS, BY_CLUSTER, BY_CONFIDENCE
from leasc_ui.results.results import KINDS
from leasc_ui.session.fields import Words, buttons, menu, number, switch
from leasc_ui.session.form import Form

FIND, GIVEN = "find", "given"
MOST_CLUSTERS = 1000
FLAT, SOLID = "2-D", "3-D"
MOST_LANDMARKS, MOST_DRAWS = 8000, 9
LONGEST_COLUMN = 200
GRAPHS = {
    AUTO: Words("Chosen for me", "auto", "takes the graph on which labels of re-drawn samples agree best."),
    "landmarks": Words("Landmarks", "landmarks", "joins points to the typical codes nearest to theirs; for any size."),
    "exact_soft": Words("Exact codes", "exact codes", "keeps every point (up to 4,000) and cuts their codes softly."),
    "exact_even": Words("Exact codes, even", "exact codes", "is the sharp cut of their square roots: no single code decides."),
    "exact": Words(
        "Exact codes, sharp", "exact codes", "keeps every point (up to 4,000) and cuts their codes by as many axes as clusters."
    ),
    "neighbours": Words(
        "Neighbours", "neighbours", "joins each point to the nearest ones (up to 100,000); for groups that are no subspaces."
    ),
    "shape": Words("Shape", "shape", "is made for tracks of moving points (up to 4,000)."),
    "codes": Words("Codes", "codes", "joins points to the representatives that write them, as in the paper’s Eqs. 9 and 10."),
}
PREPARATIONS = {
    AUTO: "Chosen for me",
    "none": "None: as they are",
    "centred": "Centred",
    "denoised": "Above noise: the principal axes that stand out",
    "standard": "Standard units: mean 0, deviation 1",
    "counts": "Counts: one size, logarithm",
    "tracks": "Tracks: one scale, affine",
    **{f"scattering{J}": f"Scattering over {2**J} pixels" for J in (1, 2, 3, 4)},
}
PREPARATIONS |= {name: name for name in NAMES if name not in PREPARATIONS}


def _graphs(graphs):
    return "\n\n".join(f"**{each.label}** {each.meaning}" for each in graphs.values())


def _column(name):
    """Of a link: anything may be a column of the data, which is seen when they are there."""
    return name[:LONGEST_COLUMN]


QUIET = {"label_visibility": "collapsed"}
OWN_GRAPHS = {name: GRAPHS[name] for name in ("landmarks", "codes")}


def usual_landmarks(points) -> int:
    """How many landmarks are taken of so many points."""
    from leasc_core.spectral.landmarks import default_landmarks

    return default_landmarks(points)


def _about_landmarks(settings, points):
    return f"More follow finer shapes and take longer. Usual for {points:,} points: {usual_landmarks(points):,}."


@dataclass(frozen=True)
class ClusterChoices:
    """What the page remembers. ``mine`` takes the visitor's own representatives and model; ``member`` counts from 1."""

    how: str = buttons(
        FIND,
        "Number of clusters",
        {FIND: "Find it", GIVEN: "I know it"},
        help="**Find it** looks for the numbers at which the clusters come out the same again and again, and more clearly than "
        "data without clusters would show.",
    )
    clusters: int = number(
        4,
        "Clusters",
        range(2, MOST_CLUSTERS + 1),
        limits=lambda points: (2, max(2, min(MOST_CLUSTERS, points))),
        when=lambda settings, points: settings.how == GIVEN,
        help="Another number reuses what was prepared.",
    )
    preparation: str = menu(
        AUTO,
        "Preparation",
        PREPARATIONS,
        help="What is done to the rows before they are compared. **Chosen for me** recognises the kind of data and judges a few "
        "preparations on a sample, without labels; the page says what was taken and why.",
    )
    affinity: str = menu(AUTO, "Points are joined by", {**{name: name for name in KEPT_GRAPHS}, **GRAPHS}, help=_graphs(GRAPHS))
    mine: bool = switch(
        False,
        "Use my representatives and model",
        help="Takes what was chosen on Representatives and trained on Train, on the data as they are cleaned there, "
        "instead of doing everything by itself.",
    )
    seed: int = number(0, "Seed", range(10_000), help="Another seed draws anew all that is drawn here.")
    landmarks: int | None = number(
        None,
        "Landmarks",
        range(2, MOST_LANDMARKS + 1),
        usual=lambda settings, points: usual_landmarks(points),
        limits=lambda points: (2, min(MOST_LANDMARKS, points)),
        when=lambda settings, points: settings.affinity == "landmarks",
        help=_about_landmarks,
    )
    draws: int = number(
        1,
        "Draws",
        range(1, MOST_DRAWS + 1),
        help="More than one: everything that is drawn by chance is drawn again, and all draws are clustered as one. "
        "Steadier labels, for so many times the work; 3 to 5 are enough.",
    )
    view: str = buttons(AUTO, "View", {AUTO: "Best view", **KINDS}, look=QUIET | {"width": "content"})
    space: str = buttons(FLAT, "Dimensions", (FLAT, SOLID), look=QUIET | {"width": "content"})
    colour: str = menu(BY_CLUSTER, "Colour by", (BY_CLUSTER, BY_CLASS, BY_CONFIDENCE), parse=_column, look=QUIET | {"width": 230})
    member: int = menu(1, "Cluster", range(1, MOST_CLUSTERS + 1), look=QUIET)


FORM = Form("cluster", ClusterChoices)


def settings_of(chosen, points) -> ClusterSettings:
    """What a run is asked for, of so many points."""
    count = None if chosen.how == FIND else min(chosen.clusters, points)
    landmarks = None if chosen.landmarks is None or chosen.affinity != "landmarks" else min(chosen.landmarks, points)
    affinity = "codes" if chosen.mine and chosen.affinity == "codes" else "landmarks" if chosen.mine else chosen.affinity
    preparation = AUTO if chosen.mine else chosen.preparation
    return ClusterSettings(count, chosen.seed, affinity, landmarks, chosen.draws, preparation, chosen.mine)


def choices_of(settings) -> ClusterChoices:
    """The choices that ask for a run of these settings."""
    how, clusters = (FIND, ClusterChoices.clusters) if settings.clusters is None else (GIVEN, settings.clusters)
    rest = {name: getattr(settings, name) for name in ("preparation", "affinity", "mine", "seed", "landmarks", "draws")}
    return ClusterChoices(how, clusters, **rest)
