"""The league: raw files in, defaults, k given; LeaSC beside a few baselines, and the best published figure."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import LeascError, ParameterError
from ..metrics import score
from .recipes import data_folder
from .rows import RowFile

OURS = "leasc"
METHODS = (OURS, "leasc_f2", "lsr", "kmeans")


@dataclass(frozen=True)
class LeagueSet:
    """``load(folder)`` gives ``(rows, truth, picture shape or None)`` for each of the set's files; truth only judges."""

    name: str
    file: str | None
    load: Callable
    published: str


def _matlab(file):
    def load(folder):
        from leasc_core import load_data

        data = load_data(Path(folder) / file)
        return [(data.X, data.y, data.image_shape)]

    return load


def _sklearn(name, shape=None):
    def load(folder):
        from sklearn import datasets

        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        return [(X, y, shape)]

    return load


def _tracks(folder):
    """All sequences: P tracks of 2F coordinates, x and y of a frame beside each other."""
    from scipy.io import loadmat

    found = []
    for path in sorted((Path(folder) / "league/hopkins").glob("*_truth.mat")):
        content = loadmat(path, variable_names=("x", "s"))
        points = content["x"][:2].transpose(1, 2, 0)
        found.append((points.reshape(len(points), -1), content["s"].ravel(), None))
    return found


SETS = (
    LeagueSet("orl", "league/orl_32x32.mat", _matlab("league/orl_32x32.mat"), "LoomSC 0.862 / 0.918"),
    LeagueSet("usps", "league/usps.mat", _matlab("league/usps.mat"), "DEC-DA (trained) 0.987 / 0.962"),
    LeagueSet("pendigits", "league/pendigits.mat", _matlab("league/pendigits.mat"), "U-SENC 0.886 / 0.853"),
    LeagueSet("yaleb", "extended_yale_b_32x32.mat", _matlab("extended_yale_b_32x32.mat"), "LSR 0.963 / 0.954"),
    LeagueSet("hopkins", "league/hopkins", _tracks, "RSIM 0.990"),
    LeagueSet("digits", None, _sklearn("digits", (8, 8)), "–"),
    LeagueSet("wine", None, _sklearn("wine"), "–"),
    LeagueSet("breast_cancer", None, _sklearn("breast_cancer"), "–"),
    LeagueSet("iris", None, _sklearn("iris"), "–"),
)


def run_league(folder, data=None, methods=None, seeds=(0, 1, 2), sets=None, on_row=lambda row: None) -> list[dict]:
    """Run what is not yet in ``folder``/rows.jsonl and return all rows asked for; a set whose files are absent is left out.

    A row: set, method, seed, mean accuracy and nmi over the set's files, median accuracy, seconds, and what was chosen.
    """
    methods, files, kept, rows = tuple(methods or METHODS), data_folder(data), RowFile(Path(folder) / "rows.jsonl"), []
    for one in _chosen(sets):
        if one.file is not None and not (Path(files) / one.file).exists():
            continue
        loaded = None
        for method in methods:
            for seed in seeds:
                key = {"set": one.name, "method": method, "seed": int(seed)}
                row = kept.find(key)
                if row is None:
                    loaded = one.load(files) if loaded is None else loaded
                    row = kept.add({"key": key, **_measured(loaded, method, int(seed))})
                rows.append(row)
                if on_row(row):
                    return rows
    return rows


def league_table(rows: list[dict]) -> str:
    """Mean ± deviation over seeds, accuracy / nmi, a line a set and a column a method, in Markdown."""
    methods = list(dict.fromkeys(row["key"]["method"] for row in rows))
    lines = ["| set | " + " | ".join(methods) + " | chosen | published |", "|---" * (len(methods) + 3) + "|"]
    for one in SETS:
        own = [row for row in rows if row["key"]["set"] == one.name]
        if own:
            cells = [_cell([row for row in own if row["key"]["method"] == method]) for method in methods]
            taken = sorted({row["chosen"] for row in own if row.get("chosen")})
            lines.append(f"| {one.name} | " + " | ".join(cells) + f" | {', '.join(taken) or '–'} | {one.published} |")
    return "\n".join(lines)


def _chosen(names):
    known = {one.name: one for one in SETS}
    for name in names or ():
        if name not in known:
            raise ParameterError(f"{name!r} is no set of the league; choose among {', '.join(known)}.")
    return [known[name] for name in names] if names else SETS


def _measured(loaded, method, seed):
    begun, scores, chosen = time.perf_counter(), [], set()
    try:
        for X, y, shape in loaded:
            labels, taken = _labels(X, len(np.unique(y)), shape, method, seed)
            scores.append(score(y, labels))
            chosen |= taken
    except LeascError as error:
        return {"status": "refused", "reason": str(error)}
    accuracy = [each["acc"] for each in scores]
    return {
        "status": "done",
        "accuracy": float(np.mean(accuracy)),
        "median_accuracy": float(np.median(accuracy)),
        "nmi": float(np.mean([each["nmi"] for each in scores])),
        "seconds": time.perf_counter() - begun,
        "chosen": ", ".join(sorted(chosen)),
    }


def _labels(X, k, shape, method, seed):
    """The labels by a method on raw rows, and what it chose on its own."""
    if method == OURS:
        from ..estimators.leasc import LeaSC

        model = LeaSC(k, image_shape=shape, random_state=seed).fit(X)
        return model.labels_, {f"{model.choice_.preparation}+{model.affinity_}"}
    from ..baselines import get

    return get(method).run(X, k, seed=seed).labels, set()


def _cell(rows):
    done = [row for row in rows if row["status"] == "done"]
    if not done:
        return "refused" if rows else "–"
    accuracy, nmi = (np.array([row[name] for row in done]) for name in ("accuracy", "nmi"))
    return f"{accuracy.mean():.3f} ± {accuracy.std():.3f} / {nmi.mean():.3f}"
