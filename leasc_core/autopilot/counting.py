"""How many clusters, before anything else is chosen: what draws of several settings say, and which of them to believe."""

from dataclasses import replace

from ..evidence.count import (
    LEAST_FEATURES,
    SAME_STORY,
    at_every_number,
    by_agreement,
    by_description,
    by_wide_gap,
    is_told,
    refines,
)
from .draws import code_graph

# The graphs of codes that have a say where no description is told twice.
CODE_GRAPH_BETAS, CODE_GRAPH_DRAWS = (1.0, 10.0), 3
# Every number up to this is looked at; larger ones are not where one up to half of it is held so firmly.
FEW, FIRM = 20, 0.85
# Two descriptions that differ more than this at the first setting will not be one story at another.
HOPELESS = 0.7


def count_in_draws(points, directions, scans_of, settings, seed, has_time, pause):
    """The counts, the best first, by two draws of each setting.

    The first setting at which two draws tell the same description decides. Else the spectrum of the first, if both its draws
    have a wide gap there. Else, or for a number that only cuts within those clusters and that draws agree on as they would on
    a description, agreement: in the mean over the settings, or over the graphs of codes, whichever share more.

    Parameters
    ----------
    points : comparable ones
    directions : the same of unit length, and perhaps as many more
    scans_of : ``scans_of(setting)`` gives the scans of two draws
    has_time, pause : whether to go on, and what to call now and then
    """
    told = by_description(points, scans_of(settings[0]))
    if is_told(told):
        return [told]
    gap = by_wide_gap(scans_of(settings[0]))
    tables = [at_every_number(scans_of(settings[0]))]
    agreed = [_by_code_graphs(directions, len(points), seed, pause)] if points.shape[1] >= LEAST_FEATURES else []
    for setting in settings[1:]:
        pause()
        if not has_time():
            break
        if told is not None and told.agreement >= HOPELESS and is_told(again := by_description(points, scans_of(setting))):
            return [again]
        tables += [at_every_number(scans_of(setting))] if gap is None else []
    return weighed(gap, [by_agreement(tables), *agreed])


def _by_code_graphs(directions, count, seed, pause):
    """Three draws of each graph: every number up to 20 and, unless a small one is firm, every second one above and those beside.

    Of more than ``count`` points each draw learns from so many; the labels are those of the first ``count``.
    """
    graphs = []
    for beta in CODE_GRAPH_BETAS:
        pause()
        graphs.append([code_graph(directions, beta, seed + i, count) for i in range(CODE_GRAPH_DRAWS)])
    most = max(2, min(scan.most_clusters for scans in graphs for scan in scans))
    tables = [at_every_number(scans, range(2, min(FEW, most) + 1)) for scans in graphs]
    found = by_agreement(tables)
    if found.k > FEW // 2 or found.agreement < FIRM:
        tables = _beside(tables, graphs, range(FEW + 2, most + 1, 2))
        best = by_agreement(tables).k
        tables = _beside(tables, graphs, [k for k in (best - 1, best + 1) if FEW < k <= most])
    found = by_agreement(tables)
    return replace(found, labels=found.labels[:count])


def _beside(tables, graphs, numbers):
    return [table | at_every_number(scans, numbers) for table, scans in zip(tables, graphs, strict=True)]


def weighed(gap, agreed):
    """The counts, the best first: by what is shared, but beside a wide gap only a firm cut within its clusters comes first."""
    agreed = sorted(agreed, key=lambda count: -count.shared)
    if gap is None:
        return agreed
    firm = [count for count in agreed if count.agreement >= SAME_STORY and count.shared > gap.shared]
    finer = [count for count in firm if refines(count.labels, gap.labels)]
    return [*finer, gap, *(count for count in agreed if count not in finer)]
