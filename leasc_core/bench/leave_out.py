"""Leave one set out: the rule of the choice is picked on all other sets of the league, and judged on the one left out."""

from dataclasses import fields

import numpy as np

from ..data.sources import open_source
from ..metrics import clustering_accuracy
from ..prepare import choose
from ..prepare.choice import SAMPLE, TIE, WIDEST_TIE, Evidence, labels_by, prepared_sample, simplest
from ..prepare.preparation import drawn, sample_rows

# A rule ranks candidates by a score of the evidence and takes the simplest of those so near the best.
SCORES = {
    "shared": lambda each: each["score"],
    "agreement": lambda each: each["agreement"],
    "agreement × shared": lambda each: each["agreement"] * each["score"],
    "agreement × shared²": lambda each: each["agreement"] * each["score"] ** 2,
}
RULES = [(name, tie) for name in SCORES for tie in (0.0, TIE, WIDEST_TIE)]


def evidence_of(data, truth, shape, seed: int) -> list[dict]:
    """Every candidate of one set with its evidence and, to judge rules by, the accuracy of its labels of a sample."""
    source, k = open_source(data), len(np.unique(truth[truth >= 0]))
    choice, rows = choose(source, k, seed, image_shape=shape), sample_rows(source, SAMPLE, seed)
    known, table = truth[drawn(source, SAMPLE, seed)], []
    for each in choice.table():
        prepared = prepared_sample(each["preparation"], choice.kind, source, rows, seed)
        labels = labels_by(each["graph"], prepared, k, np.random.default_rng(seed))
        table.append(each | {"accuracy": clustering_accuracy(known[known >= 0], labels[known >= 0])})
    return table


def picked(rows: list[dict], rule: tuple[str, float]) -> dict:
    """The candidate that a rule takes."""
    score, tie = SCORES[rule[0]], rule[1]
    best = max(map(score, rows))
    return next(each for each in rows if score(each) >= best - tie)


def shipped(rows: list[dict]) -> dict:
    """The candidate that the choice takes."""
    names = [field.name for field in fields(Evidence)]
    evidence = [Evidence(**{name: each[name] for name in names}) for each in rows]
    return rows[evidence.index(simplest(evidence))]


def leave_one_out(tables: dict[str, list[dict]]) -> list[dict]:
    """For each set: accuracy by the shipped rule, by the rule that is best on the other sets, and of the best candidate."""
    found = []
    for name, rows in tables.items():
        others = [table for other, table in tables.items() if other != name]
        rule = max(RULES, key=lambda rule: np.mean([picked(table, rule)["accuracy"] for table in others]))
        found.append(
            {
                "set": name,
                "shipped": shipped(rows)["accuracy"],
                "left out": picked(rows, rule)["accuracy"],
                "rule": f"{rule[0]}, tie {rule[1]:g}",
                "oracle": max(each["accuracy"] for each in rows),
            }
        )
    return found
