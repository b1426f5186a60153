"""The league: raw files in, defaults, k given; baselines on the raw rows and on LeaSC's preparation; published figures."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..data.sources import open_source
from ..errors import LeascError, ParameterError
from ..metrics import score
from ..prepare import Preparation, choose
from .leave_out import evidence_of, leave_one_out
from .recipes import data_folder
from .rows import RowFile

OURS = "leasc"
# A method on the rows as LeaSC prepared them, rather than on the raw file.
PREPARED = "@prepared"
METHODS = (OURS, *(f"{name}{end}" for name in ("lsr", "rpcm_f2", "lbsc_k", "kmeans") for end in ("", PREPARED)))
# Methods that code every point by every other are left out above so many points.
SMALL = 5_000


@dataclass(frozen=True)
class LeagueSet:
    """``load(folder)`` gives ``(data, truth, picture shape or None)`` for each of the set's files.

    Data are rows or a Dataset; truth only judges, and only where it is not negative.
    """

    name: str
    file: str | None
    load: Callable
    published: str


def _file(file, **options):
    def load(folder):
        from leasc_core import load_data

        data = load_data(Path(folder) / file, **options)
        return [(data, data.y, data.image_shape)]

    return load


def _scene(folder):
    """The whole image, its pixels without a class too; the truth tells neither where these are nor anything else."""
    ((whole, truth, _),) = _file("league/salinas_a.mat")(folder)
    ((image, _, _),) = _file("league/salinas_a.mat", label=False)(folder)
    return [(image, truth, None)]


def _mnist(folder):
    from leasc_core import load_data

    parts = [load_data(Path(folder) / f"mnist/{part}-images-idx3-ubyte.gz") for part in ("train", "t10k")]
    return [(np.vstack([part.X for part in parts]), np.concatenate([part.y for part in parts]), parts[0].image_shape)]


def _sample(file):
    """One of the sample sets that the project ships."""

    def load(folder):
        return _file(Path(__file__).parents[2] / "sample_data" / file)(folder)

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
    LeagueSet("orl", "league/orl_32x32.mat", _file("league/orl_32x32.mat"), "LoomSC 0.862 / 0.918"),
    LeagueSet("usps", "league/usps.mat", _file("league/usps.mat"), "DEC-DA (trained) 0.987 / 0.962"),
    LeagueSet("pendigits", "league/pendigits.mat", _file("league/pendigits.mat"), "U-SENC 0.886 / 0.853"),
    LeagueSet("yaleb", "extended_yale_b_32x32.mat", _file("extended_yale_b_32x32.mat"), "LSR 0.963 / 0.954"),
    LeagueSet("hopkins", "league/hopkins", _tracks, "RSIM 0.990"),
    LeagueSet("salinas", "league/salinas_a.mat", _file("league/salinas_a.mat"), "EGCSC (tuned) 0.999"),
    LeagueSet("salinas_whole", "league/salinas_a.mat", _scene, "–"),
    LeagueSet("cells", "league/pbmc68k_old_layout.h5ad", _file("league/pbmc68k_old_layout.h5ad"), "–"),
    LeagueSet("digits", None, _sklearn("digits", (8, 8)), "–"),
    LeagueSet("wine", None, _sklearn("wine"), "–"),
    LeagueSet("breast_cancer", None, _sklearn("breast_cancer"), "–"),
    LeagueSet("iris", None, _sklearn("iris"), "–"),
    LeagueSet("shapes_under_light", None, _sample("shapes_under_light.npz"), "–"),
    LeagueSet("moving_objects", None, _sample("moving_objects.npz"), "–"),
    LeagueSet("corrupted", None, _sample("corrupted.npz"), "–"),
    LeagueSet("field_scene", None, _sample("field_scene.npz"), "–"),
    LeagueSet("four_lines", None, _sample("four_lines.csv"), "–"),
    LeagueSet("mnist70k", "mnist", _mnist, "EnSC 0.976 / 0.937"),
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


def run_left_out(folder, data=None, sets=None, seed=0) -> list[dict]:
    """One line a set, its rule learned on the other sets alone (:mod:`leasc_core.bench.leave_out`); ``folder`` keeps evidence."""
    files, kept, tables = data_folder(data), RowFile(Path(folder) / "evidence.jsonl"), {}
    for one in _chosen(sets):
        if one.file is not None and not (Path(files) / one.file).exists():
            continue
        key = {"set": one.name, "seed": seed}
        row = kept.find(key)
        if row is None:
            row = kept.add({"key": key, "status": "done", "evidence": evidence_of(*one.load(files)[0], seed)})
        if row["evidence"]:
            tables[one.name] = row["evidence"]
    return leave_one_out(tables)


def left_out_table(lines: list[dict]) -> str:
    """In Markdown, with the share of sets whose figures are within two points of the shipped rule's."""
    head = ("set", "shipped", "left out", "oracle", "rule")
    cells = [[each["set"], *(f"{each[name]:.3f}" for name in head[1:4]), each["rule"]] for each in lines]
    near = np.mean([abs(each["shipped"] - each["left out"]) <= 0.02 for each in lines])
    table = "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *cells])
    return f"{table}\n\nWithin two points of the shipped rule: {near:.0%} of the sets."


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
    from ..baselines import get

    name = method.removesuffix(PREPARED)
    if name != OURS and get(name).family == "coding" and max(len(truth) for _, truth, _ in loaded) > SMALL:
        return {"status": "refused", "reason": f"codes every point by every other; left out above {SMALL:,} points"}
    begun, scores, chosen = time.perf_counter(), [], set()
    try:
        for data, truth, shape in loaded:
            inside = np.asarray(truth) >= 0
            labels, taken = _labels(data, len(np.unique(truth[inside])), shape, inside, method, seed)
            scores.append(score(truth[inside], labels))
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


def _labels(data, k, shape, inside, method, seed):
    """Labels of the rows ``inside`` by a method, and what it chose on its own; baselines see no others."""
    from ..baselines import get

    if method == OURS:
        from ..estimators.leasc import LeaSC

        model = LeaSC(k, image_shape=shape, random_state=seed).fit(data)
        return model.labels_[inside], {f"{model.choice_.preparation}+{model.affinity_}"}
    source, name = open_source(data), method.removesuffix(PREPARED)
    if method.endswith(PREPARED):
        choice = choose(source, k, seed, image_shape=shape)
        if choice.preparation != "none":
            source = Preparation(choice.preparation, choice.kind.shape).fit(source).seen(source)
    return get(name).run(source.take(np.flatnonzero(inside)), k, seed=seed).labels, set()


def _cell(rows):
    done = [row for row in rows if row["status"] == "done"]
    if not done:
        return "refused" if rows else "–"
    accuracy, nmi = (np.array([row[name] for row in done]) for name in ("accuracy", "nmi"))
    return f"{accuracy.mean():.3f} ± {accuracy.std():.3f} / {nmi.mean():.3f}"
