"""Imports go one way: pages → leasc_ui → leasc_core, and inside the core from each room only to rooms before it."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ROOT / "leasc_core"

# The order in which data walk through the house; rooms in one row may not import one another.
ROWS = [
    ["errors"],
    ["events"],
    ["storage"],
    ["data"],
    ["features"],
    ["selectors"],
    ["penalties"],
    ["coding"],
    ["encoder"],
    ["engine"],
    ["spectral"],
    ["prepare"],
    ["metrics", "theory"],
    ["evidence"],
    ["plan"],
    ["stages"],
    ["drawing"],
    ["estimators"],
    ["autopilot"],
    ["runs"],
    ["baselines"],
    ["bench"],
    ["diagnosis"],
    ["explain"],
    ["workbench"],
    ["plot"],
    ["cli"],
    ["__main__"],
]
PLACE = {room: place for place, row in enumerate(ROWS) for room in row}
HEAVY = ("torch", "sklearn", "pandas", "pyarrow", "h5py", "umap", "faiss", "cvxpy", "streamlit", "plotly", "dask", "numba")

# The same of leasc_ui: a room imports only rooms before it, so that no two of them import each other.
UI = ROOT / "leasc_ui"
UI_ROOMS = ["places", "session", "work", "frame", "charts", "data", "results", "export", "panels", "screens", "launch", "serve"]

modules = sorted(CORE.rglob("*.py"))


def dotted(path):
    """leasc_core/spectral/sign.py → leasc_core.spectral.sign, and a package's __init__ → the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path):
    """Every module that a file imports, at its top or inside functions, written out in full."""
    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*up, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            yield from (a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def public_homes():
    """Where the lazy names of leasc_core/__init__.py live."""
    tree = ast.parse((CORE / "__init__.py").read_text())
    homes = next(n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "_HOMES")
    return ast.literal_eval(homes)


def room(module):
    """The room a module of the core lives in; a public name counts as the room it is loaded from."""
    first = module.split(".")[1]
    return public_homes()[first].split(".")[1] if first in public_homes() else first


def rooms_used(path):
    return {room(name) for name in imported(path) if name.startswith("leasc_core.")}


def test_there_is_something_to_check():
    assert len(modules) > 50
    assert "leasc_core.spectral.nearest.nearest" in set(imported(CORE / "spectral" / "sign.py"))
    assert rooms_used(CORE / "spectral" / "sign.py") == {"data", "spectral"}


@pytest.mark.parametrize("folder", sorted({path.parent for path in modules}), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_no_folder_is_crowded(folder):
    assert len(list(folder.glob("*.py"))) <= 14, "at most 14 files of code in a folder: make one of those that belong together"


def test_every_room_has_its_place():
    found = {p.stem if p.is_file() else p.name for p in CORE.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}
    unplaced = found - PLACE.keys() - {"__init__"}
    assert not unplaced, f"say in ROWS where {sorted(unplaced)} stands among the rooms"


@pytest.mark.parametrize("path", modules, ids=dotted)
def test_no_room_imports_one_downstream(path):
    if path == CORE / "__init__.py":
        assert not rooms_used(path), "public names are loaded on first use"
        return
    here = path.relative_to(CORE).with_suffix("").parts[0]
    later = {other for other in rooms_used(path) if other != here and PLACE.get(other, 99) >= PLACE[here]}
    assert not later, f"{dotted(path)} imports {sorted(later)}, which lie downstream of (or beside) {here}"


def test_no_two_rooms_import_each_other_even_inside_functions():
    """Rooms that could be reached from themselves, by imports at the top of a file or inside a function: none."""
    uses = {}
    for path in modules:
        if path != CORE / "__init__.py":
            here = path.relative_to(CORE).with_suffix("").parts[0]
            uses.setdefault(here, set()).update(rooms_used(path) - {here})
    try:
        graphlib.TopologicalSorter(uses).prepare()
    except graphlib.CycleError as found:
        pytest.fail(f"rooms import each other in a circle: {' → '.join(found.args[1])}")


@pytest.mark.parametrize("path", modules, ids=dotted)
def test_the_core_knows_nothing_of_the_app(path):
    outside = {name.split(".")[0] for name in imported(path)} & {"streamlit", "leasc_ui", "pages", "app", "tests", "benchmarks"}
    assert not outside


def test_the_app_s_helpers_do_not_import_its_pages():
    for path in (ROOT / "leasc_ui").rglob("*.py"):
        assert not {name.split(".")[0] for name in imported(path)} & {"pages", "app"}, path


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=dotted)
def test_no_room_of_the_app_imports_one_after_it(path):
    here = path.relative_to(UI).with_suffix("").parts[0]
    used = {name.split(".")[1] for name in imported(path) if name.startswith("leasc_ui.")}
    later = {room for room in used if here != "__init__" and UI_ROOMS.index(room) > UI_ROOMS.index(here)}
    assert not later, f"{dotted(path)} imports {sorted(later)}, which stand after {here}"


def names_in(path):
    """Every name that a file defines or imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)


def is_there(name, known):
    """Whether a dotted name of ours is a module, or a name in one; a module that makes names on demand has them all."""
    path = ROOT.joinpath(*name.split("."))
    if path.with_suffix(".py").is_file() or path.is_dir():
        return True
    home = path.parent / "__init__.py" if path.parent.is_dir() else path.parent.with_suffix(".py")
    if home not in known:
        known[home] = set(names_in(home)) if home.is_file() else set()
    return path.name in known[home] or path.name.startswith("__") or "__getattr__" in known[home]


def test_whatever_is_imported_is_there():
    """Imports inside functions too, which otherwise fail only where somebody calls them."""
    ours, known = ("leasc_core.", "leasc_ui.", "tests.", "benchmarks."), {}
    files = [
        each for folder in ("leasc_core", "leasc_ui", "pages", "tests", "benchmarks") for each in (ROOT / folder).rglob("*.py")
    ]
    gone = [
        f"{dotted(each)}: {name}"
        for each in files
        for name in imported(each)
        if name.startswith(ours) and not is_there(name, known)
    ]
    assert not gone
    assert is_there("leasc_core.metrics", known) and not is_there("leasc_core.metrics.no_such_score", known)


def test_importing_the_rooms_loads_nothing_heavy():
    """torch, scikit-learn, faiss and friends come only when a function needs them."""
    rooms = [dotted(p) for p in modules if p.relative_to(CORE).parts[0] in ("penalties", "coding", "encoder", "spectral")]
    code = (
        f"import sys, importlib\nfor room in {['leasc_core', *rooms]!r}: importlib.import_module(room)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
