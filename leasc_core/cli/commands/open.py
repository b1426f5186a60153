"""``open``: unpack a project that was saved in the app, and say what is in it."""

import json
import sys
from pathlib import Path

import numpy as np

from ..terminal import pairs, plain, styled

USAGE = "FILE [-o FOLDER] [options]"
DESCRIPTION = """\
Unpack a .leascproj project: its runs (labels, model, report, edits), and its data where they were saved with it. Each run's
clusters are told as they were edited and named; clusters.csv beside a run holds them, a row a point."""
EPILOG = """\
examples:
  open sensors.leascproj                       into sensors/
  open sensors.leascproj -o monday/
  predict monday/runs/1 new.csv -o labels.csv  the edits hold for new points too

To see it in the app: `leasc app`, Home, and give it the file."""
TABLE = "clusters.csv"


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("file", help="a .leascproj file")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="a folder that does not exist yet (default: the file's name)")
    parser.add_argument("--list", action="store_true", help="say what is in it and unpack nothing")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, nothing else")


def run(options):
    """Unpack and tell; returns the exit code."""
    from ...workbench.project import read_project

    project = read_project(options.file)
    facts = {"name": project.name, "files": len(project.sizes), "bytes": sum(project.sizes.values())}
    if not options.list:
        folder = project.extract(options.output or Path(options.file).with_suffix(""))
        facts |= {"folder": str(folder), "runs": [_finish(run) for run in sorted((folder / "runs").glob("*")) if run.is_dir()]}
    if options.json:
        print(json.dumps(facts))
    else:
        _tell(facts)
    return 0


def _finish(run):
    """Write the clusters of a run as a table, and say what they are."""
    from ...data.writers import save_data
    from ...workbench.history import History, in_words

    if not (run / "labels.npy").is_file():
        return {"folder": str(run), "clusters": None}
    labels, history = np.load(run / "labels.npy", allow_pickle=False), History.load(run)
    state = history.state(labels)
    names = np.array([*state.titles, state.title(-1)])
    save_data(run / TABLE, np.arange(len(labels))[:, None], names[state.compact], ["row"], None, "cluster")
    sizes = {title: int((state.labels == each).sum()) for each, title in zip(state.ids, state.titles, strict=True)}
    facts = {"folder": str(run), "clusters": sizes, "edits": in_words(history.steps, labels)}
    notes = {state.title(each) if each is not None else "": text for each, text in state.notes.items()}
    return facts | {"notes": notes, "edited": (run / "edited.leasc").is_file()}


def _tell(facts):
    print(f"{styled(plain(facts['name']), 'bold', sys.stdout)}  (project)")
    rows = [("files", f"{facts['files']:,}, {facts['bytes']:,} bytes")]
    if "folder" in facts:
        rows.append(("folder", facts["folder"]))
    for run in facts.get("runs", ()):
        rows.append(("run", run["folder"]))
        if run["clusters"] is None:
            rows.append(("", "is not finished"))
            continue
        rows += [("clusters" if not at else "", f"{name}: {size:,}") for at, (name, size) in enumerate(run["clusters"].items())]
        rows += [("edits" if not at else "", words) for at, words in enumerate(run["edits"])]
        rows += [("note", f"{name}: {text}" if name else text) for name, text in run["notes"].items()]
    pairs(rows)
