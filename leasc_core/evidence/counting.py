"""How many clusters, before anything else is chosen: what draws of several settings say, and which of them to believe."""

from dataclasses import replace

from .code_graph import by_code_graphs
from .count import LEAST_FEATURES, SAME_STORY, at_every_number, by_agreement, by_description, by_wide_gap, is_told, refines

# Two descriptions that differ more than this at the first setting will not be one story at another.
HOPELESS = 0.7


def count_clusters(points, directions, scans_of, settings=(None,), seed=0, has_time=lambda: True, pause=lambda: None):
    """The counts, the best first, by two draws of each setting.

    The first setting at which two draws tell the same description decides. Else the spectrum of the first, if both its draws
    have a wide gap there. Else, or for a number that only cuts within those clusters and that draws agree on as they would on
    a description, agreement: over the graphs of codes, or in too few features for these over the settings.

    Parameters
    ----------
    points : comparable ones
    directions : the same of unit length, and perhaps more, for the graphs of codes; None leaves these out. Of twice the points
        or more each graph learns from its own half: a cut through a continuum then differs from draw to draw. Fewer more are
        not looked at
    scans_of : ``scans_of(setting)`` gives the scans (:class:`SpectralScan`) of two draws
    has_time, pause : whether to go on, and what to call now and then
    """
    told = by_description(points, scans_of(settings[0]), pause)
    if is_told(told):
        return [told]
    for setting in settings[1:]:
        pause()
        if told is None or told.agreement < HOPELESS or not has_time():
            break
        if is_told(again := by_description(points, scans_of(setting), pause)):
            return [again]
    gap = by_wide_gap(scans_of(settings[0]))
    if directions is not None and points.shape[1] >= LEAST_FEATURES:
        if len(directions) < 2 * len(points):
            directions = directions[: len(points)]
        agreed = by_code_graphs(directions, max(len(points), len(directions) // 2), seed, pause)
        return weighed(gap, replace(agreed, labels=agreed.labels[: len(points)]))
    tables = [at_every_number(scans_of(settings[0]), pause=pause)]
    for setting in settings[1:]:
        pause()
        if has_time() and gap is None:
            tables.append(at_every_number(scans_of(setting), pause=pause))
    return weighed(gap, by_agreement(tables))


def weighed(gap, agreed):
    """The counts, the best first: beside a wide gap agreement comes first only where it cuts firmly within its clusters."""
    if gap is None:
        return [agreed]
    firm = agreed.agreement >= SAME_STORY and agreed.shared > gap.shared
    return [agreed, gap] if firm and refines(agreed.labels, gap.labels) else [gap, agreed]
