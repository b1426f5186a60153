"""``info``: what is in a data file, a model or a run's folder."""

import json
import sys
import time
from pathlib import Path

from ..outcome import scores_in_words, sizes_in_words
from ..progress import Silent, Told, took
from ..reading import add_reading_arguments, existing, open_data, reading_options
from ..terminal import pairs, plain, styled

USAGE = "THING [options]"
DESCRIPTION = """\
Say what is in a data file (arrays, shape, labels, fingerprint), in a model (.leasc: settings, clusters) or in a run's folder
(what was asked, how far it is, what came of it). Nothing is changed. --plan says what clustering the data will take: seconds,
memory and disk on this machine, and with more workers like it."""
EPILOG = """\
examples:
  info digits.npz
  info points.npy --plan -k 100
  info digits-leasc/          running, stopped or finished
  info digits-leasc/model.leasc"""
NAMES_SHOWN = 6
WORKERS = (1, 4, 16)


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("thing", help="a data file, a .leasc model or a run's folder")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, nothing else")
    parser.add_argument("--plan", action="store_true", help="what clustering these data with the defaults will take")
    parser.add_argument("-k", "--clusters", type=int, help="for --plan: the number of clusters, where it is known")
    add_reading_arguments(parser)


def run(options):
    """Look and tell; returns the exit code."""
    path = existing(options.thing)
    if (path / "config.json").is_file():
        kind, facts = "run", _of_run(path)
    elif path.suffix.lower() == ".leasc":
        kind, facts = "model", _of_model(path)
    else:
        kind, facts = "data", _of_data(path, options)
    if options.json:
        print(json.dumps({"kind": kind, **facts}, default=str))
        return 0
    print(f"{styled(plain(path), 'bold', sys.stdout)}  ({kind})")
    pairs([(name.replace("_", " "), _in_words(value)) for name, value in facts.items() if value not in (None, [], {})])
    return 0


def _of_data(path, options):
    from ...data.reading import list_arrays, recognise

    with Silent() if options.json else Told() as progress:
        source = open_data(path, reading_options(options), progress)
    from ...data.guards import STREAMED
    from ...data.reading.blobs import open_blob

    found = recognise(open_blob(path, None, STREAMED))
    arrays = list_arrays(path, limits=STREAMED) if found.arrays is not None else []
    facts = {
        "format": found.name,
        "points": len(source),
        "features": source.shape[1],
        "type": str(source.dtype),
        "a_row_is": None if source.layout is None else source.layout.why,
        "arrays": [", ".join(filter(None, (f"{a.name} {tuple(a.shape)} {a.dtype}", a.role))) for a in arrays],
        "columns": [f"{column.name} ({column.role})" for column in source.columns],
        "notes": "; ".join(source.notes) or None,
        "feature_names": source.feature_names,
        "pictures": None if source.image_shape is None else " x ".join(map(str, source.image_shape)),
        "fingerprint": source.fingerprint,
    }
    return facts | _labels(source) | (_plan(source, options.clusters) if options.plan else {})


def _plan(source, clusters):
    """The cost of ``LeaSC(clusters).fit(source)`` from the machine's rate of products, alone and with workers like it."""
    from ...estimators.leasc import LeaSC
    from ...runs.budget import product_rate
    from ...runs.run import need_of

    rate = max(product_rate() for _ in range(3))
    words = {1: "plan"} | {workers: f"plan_with_{workers}_workers" for workers in WORKERS[1:]}
    return {words[workers]: str(need_of(LeaSC(clusters), source, rate, workers)) for workers in WORKERS}


def _labels(source):
    import numpy as np

    if source.labels is None:
        return {"labels": "none"}
    values, counts = np.unique(source.labels, return_counts=True)
    names = source.label_names or []
    known = [str(names[value]) if 0 <= value < len(names) else str(value) for value in values.tolist()]
    return {"labels": f"{len(values)} classes of {counts.min():,} to {counts.max():,} points", "classes": known}


def _of_model(path):
    from ...estimators.leasc import LeaSC

    model = LeaSC.load(path)
    return {
        "clusters": int(model.n_clusters_),
        "features": int(model.n_features_in_),
        "fitted_on": f"{len(model.labels_):,} points",
        "representatives": len(model.representatives_),
        "landmarks": _landmarks(model.model_.graph),
        "sign": "x and -x are the same" if model.sign_ignored_ else "x and -x are different",
        "graph": model.affinity_,
        "chosen": model.choice_.sentence() if model.choice_ else None,
        "preprocessing": model.preprocess_.sentences() if model.preprocess_ else None,
        "parameters": {
            name: value
            for name, value in model.get_params(deep=False).items()
            if name not in ("on_event", "preprocess") and value is not None
        },
    }


def _landmarks(graph):
    """Of all draws; None where points are joined by codes."""
    graphs = getattr(graph, "graphs", (graph,))
    return sum(len(each.landmarks) for each in graphs) if all(hasattr(each, "landmarks") for each in graphs) else None


def _of_run(path):
    from ...runs.folder import RunFolder

    files = RunFolder(path)
    config, summary, events = files.config(), files.summary(), files.events()
    data = config["data"]
    facts = {
        "state": _state(files, summary, events),
        "data": data["path"],
        "points": data["shape"][0],
        "features": data["shape"][1],
        "fingerprint": data["fingerprint"],
        "created": config["created"],
        "parameters": config["parameters"],
        "preprocessing": config["preprocess"],
    }
    if summary:
        facts |= {
            "clusters": summary["n_clusters"],
            "sizes": sizes_in_words(summary["sizes"]),
            "seconds": round(summary["seconds"], 2),
        }
        facts |= {"scores": scores_in_words(summary["scores"])} if summary.get("scores") else {}
        facts |= {"report": str(files.report_file)}
    return facts


def _state(files, summary, events):
    """Finished, running, or stopped with the command that goes on."""
    if summary is not None:
        return "finished"
    stage = next((event["stage"] for event in reversed(events) if "stage" in event), None)
    done = next(
        (
            f", {event['done'] / max(1, event['total']):.0%} of the points"
            for event in reversed(events)
            if event["event"] == "PointsDone" and event["stage"] == stage
        ),
        "",
    )
    where = f" at {stage}{done}" if stage else " before its first stage"
    if files.is_held():
        since = time.time() - events[-1]["time"] if events else 0.0
        return f"running{where}, last heard of {took(since)} ago"
    return f"stopped{where}; go on with: python -m leasc_core cluster --resume {Path(files.path)}"


def _in_words(value):
    if isinstance(value, dict):
        return ", ".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, list):
        more = f" … {len(value) - NAMES_SHOWN:,} more" if len(value) > NAMES_SHOWN else ""
        return ", ".join(map(str, value[:NAMES_SHOWN])) + more
    return f"{value:,}" if isinstance(value, int) else str(value)
