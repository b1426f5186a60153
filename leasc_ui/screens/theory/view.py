"""The Theory page's sections by name: what each needs, and what shows it."""

from leasc_ui.screens.theory.contraction_view import show_contraction
from leasc_ui.screens.theory.costs_view import show_cost
from leasc_ui.screens.theory.frame import show_missing
from leasc_ui.screens.theory.picks_view import show_picks, show_radius
from leasc_ui.screens.theory.subspaces_view import show_subspaces


def show_section(session, subject, chosen):
    """The statement that is looked at, or what it still needs."""
    missing = NEEDS[chosen.section](subject)
    if missing is not None:
        show_missing(session, subject, *missing)
        return
    SHOWN[chosen.section](subject, chosen)


def _needs_representatives(subject):
    if subject.indices is None:
        return "The radius is measured from representatives, and there are none yet.", "pages/3_Representatives.py", "Choose them"
    return None


def _needs_model(subject):
    if subject.network is None:
        return "Theorem 1 is about the trained function f, and there is none yet.", "pages/4_Train.py", "Train with care"
    return None


def _needs_groups(subject):
    if subject.groups[0] is None:
        words = "Angles are measured between the spans of clusters, and there are neither clusters nor labels yet."
        return words, "pages/5_Cluster.py", "Go to Cluster"
    return None


def _needs_nothing(subject):
    return None


NEEDS = {
    "picks": _needs_nothing,
    "radius": _needs_representatives,
    "contraction": _needs_model,
    "subspaces": _needs_groups,
    "cost": _needs_nothing,
}
SHOWN = {
    "picks": show_picks,
    "radius": show_radius,
    "contraction": show_contraction,
    "subspaces": show_subspaces,
    "cost": show_cost,
}
