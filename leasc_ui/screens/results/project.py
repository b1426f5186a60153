"""A visitor's work as one file: saved here, opened on any machine. No Streamlit in here.

What a project file says is not trusted: paths in it are never followed, the data lie where this server puts them.
"""

import json
import shutil
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

from leasc_core.errors import DataError
from leasc_core.runs.contents import stamp_of
from leasc_core.runs.folder import RunFolder
from leasc_core.runs.records import write_record
from leasc_core.storage.files import replacing
from leasc_core.workbench.history import FILE as EDITS
from leasc_core.workbench.history import History
from leasc_core.workbench.project import Project, read_project, write_project
from leasc_ui.data.choices import of_recipe
from leasc_ui.data.recipes import load_recipe, quiet
from leasc_ui.results.asked import REQUEST, request_of
from leasc_ui.results.edits import FITS, MODEL, edited_model
from leasc_ui.screens.cluster.request import TRAINED, file_of
from leasc_ui.work.names import safe_name
from leasc_ui.work.runs import new_folder, runs_root
from leasc_ui.work.uploads import new_folder as upload_folder

FINISHED = (
    "config.json",
    "summary.json",
    "labels.npy",
    "confidence.npy",
    "model.leasc",
    "report.html",
    "events.jsonl",
    "contents.json",
)
KEPT = (*FINISHED, REQUEST, TRAINED, EDITS, MODEL, "names.json")
NEEDED = (*FINISHED[:3], "model.leasc", REQUEST)
MOST_RUNS = 6


class NeedsData(DataError):
    """The project was saved without its data; ``name`` is the file that it needs."""

    def __init__(self, name):
        self.name = name
        super().__init__(f"This project was saved without its data; bring {name} as well.")


def save_project(folder, others, data, picked, with_data) -> bytes:
    """The run in ``folder`` (and the ``others`` of the same data) as a project; ``picked`` is the selection in words."""
    edited_model(folder)
    runs, files = [folder, *others][:MOST_RUNS], {}
    for number, run in enumerate(map(Path, runs), 1):
        members = [run / name for name in KEPT] + sorted((run / FITS).glob("*.leasc"))
        files |= {f"runs/{number}/{path.relative_to(run)}": path for path in members if path.is_file()}
    state = {"recipe": data.recipe, "data_name": data.name, "fingerprint": data.fingerprint, "picked": picked, "runs": len(runs)}
    source = Path(data.recipe["path"]) if data.recipe["kind"] == "file" else None
    if with_data and source is not None and source.is_file():
        state["data"] = f"data/{_member(source.name)}"
        files[state["data"]] = source
    with tempfile.TemporaryDirectory() as place:
        return write_project(Path(place) / "project.leascproj", data.name, state, files).read_bytes()


def can_hold_data(data) -> bool:
    """Whether the data are one file that can go along; what is made or a sample set comes back by its recipe."""
    return data.recipe["kind"] == "file" and Path(data.recipe["path"]).is_file()


def open_project(path, visitor, given=None, say=quiet):
    """Unpack a project among this visitor's runs; the folder of the one that was looked at, and the selection in words.

    ``given`` is the data file where the project came without it: else :class:`NeedsData` names it.
    """
    project = read_project(path)
    recipe, state = _recipe(project), project.state
    member = state.get("data")
    if recipe["kind"] == "file" and member is None and given is None:
        raise NeedsData(safe_name(Path(str(recipe.get("path", "data"))).name))
    home = runs_root() / visitor / "projects"
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=home) as place:
        unpacked = project.extract(Path(place) / "project")
        if recipe["kind"] == "file":
            recipe["path"] = str(given if given is not None else _stored(unpacked / _inside(project, member), visitor))
        data = load_recipe(recipe, say)
        if data.fingerprint != state.get("fingerprint"):
            raise DataError(f"{data.name} is not the data that this project was made from; bring the file that was.")
        folders = [_take_run(unpacked / "runs" / str(number), visitor, data) for number in range(int(state["runs"]), 0, -1)]
    return folders[-1], state.get("picked") if isinstance(state.get("picked"), str) else None


def _recipe(project: Project) -> dict:
    """How the data are read, as this program would write it; nothing else of what the file says."""
    try:
        recipe = dict(project.state["recipe"])
        if not 1 <= int(project.state["runs"]) <= MOST_RUNS:
            raise ValueError
        if recipe["kind"] == "file":
            recipe["path"] = Path(str(recipe["path"])).name or "data"
        plain = of_recipe(recipe).recipe()
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(f"{project.path.name} does not say what data it was made from; save the project again.") from None
    if plain is None:
        raise DataError(f"{project.path.name} does not say what data it was made from; save the project again.")
    return plain | ({"preprocess": recipe["preprocess"]} if recipe.get("preprocess") else {})


def _inside(project, member):
    if member not in project.sizes or not member.startswith("data/"):
        raise DataError(f"{project.path.name} does not hold the data that it names; save the project again.")
    return member


def _stored(path, visitor):
    """The data file where uploads lie."""
    target = upload_folder(visitor) / safe_name(path.name)
    shutil.move(path, target)
    return target


def _take_run(unpacked, visitor, data):
    """One run of a project in a folder of its own, told where its data are here."""
    missing = [name for name in NEEDED if not (unpacked / name).is_file()]
    asked = request_of(unpacked)
    if missing or asked is None:
        raise DataError(f"The project lacks {', '.join(missing) or 'what its run was asked'}; save it again.")
    History.load(unpacked)
    folder, config = new_folder(visitor), RunFolder(unpacked).config()
    path, options, _ = file_of(data, runs_root() / visitor / "data" / data.fingerprint)
    record = {**config, "data": {**config["data"], "path": str(path), "options": options, "stamp": stamp_of(path)}}
    folder.mkdir(parents=True, mode=0o700)
    for name in KEPT:
        if (unpacked / name).is_file():
            shutil.move(unpacked / name, folder / name)
    for fit in (unpacked / FITS).glob("*.leasc"):
        (folder / FITS).mkdir(exist_ok=True)
        shutil.move(fit, folder / FITS / fit.name)
    write_record(folder / "config.json", record)
    with replacing(folder / REQUEST) as file:
        file.write(json.dumps(asdict(replace(asked, recipe=data.recipe))).encode())
    return folder


def _member(name):
    """The name of a data file as a project may hold it."""
    return "".join(letter if letter.isalnum() or letter in " .()+-_" else "_" for letter in name).strip(" .")[-120:] or "data"
