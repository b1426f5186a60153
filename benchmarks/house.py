"""The shape of the code: sizes, function lengths, import cycles, state code and other habits, of any checkout.

`python -m benchmarks.house` measures this checkout; `--tree PATH` another one, and `--tree OLD --tree NEW` both side by side.
Nothing is imported from the trees: their files are parsed. What it takes to add something is read off `additions/`, where each
patch was made, tested and undone again; it counts for a tree to which it still applies.
"""

import argparse
import ast
import re
import statistics
import subprocess
from collections import Counter
from pathlib import Path

PACKAGES = ("leasc_core", "leasc_ui", "pages", "tests", "benchmarks")
PRODUCT = ("leasc_core", "leasc_ui")
# State code: the files of leasc_ui whose job is to keep widgets, address, undo and session in step. They are those in session/,
# and those whose name ends in one of these words (cluster_room.py, screens/train/settings.py).
STATE_WORDS = {
    *("accept", "address", "choices", "form", "forms", "heard", "memory", "picks"),
    *("pipeline", "remembered", "room", "settings", "share", "state"),
}
PUBLIC_STREAMLIT = ("components", "testing", "errors", "typing", "column_config", "connections")
FOLDER_LIMIT = 14
ADDITIONS = Path(__file__).parent / "additions"


def code_files(tree: Path, package: str) -> list[Path]:
    """The Python files of one package, sorted; `pages` counts app.py too."""
    extra = [tree / "app.py"] if package == "pages" else []
    return sorted([*(tree / package).rglob("*.py"), *(path for path in extra if path.is_file())])


def lines(paths) -> int:
    """Lines of text in these files, blank ones and comments included."""
    return sum(len(path.read_text().splitlines()) for path in paths)


def largest_folder(tree: Path, paths) -> tuple[str, int]:
    """The folder that directly holds most Python files, and how many it holds."""
    held = Counter(str(path.parent.relative_to(tree)) for path in paths)
    return held.most_common(1)[0] if held else ("–", 0)


def body_lengths(paths) -> list[int]:
    """Lines of every function's body, without its signature and docstring."""
    functions = (
        node
        for path in paths
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    return sorted(_body_length(function) for function in functions)


def _body_length(function) -> int:
    statements = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return statements[-1].end_lineno - statements[0].lineno + 1 if statements else 0


def module_name(tree: Path, path: Path) -> str:
    """leasc_core/spectral/sign.py → leasc_core.spectral.sign; a package's __init__ → the package."""
    parts = path.relative_to(tree).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, name: str):
    """Every dotted name that a file imports, at its top or inside a function, written out in full."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            yield from (a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def public_homes(tree: Path) -> dict[str, str]:
    """Where the names that `leasc_core` loads on first use live."""
    for node in ast.parse((tree / "leasc_core" / "__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            return {f"leasc_core.{name}": home for name, home in ast.literal_eval(node.value).items()}
    return {}


def module_graph(tree: Path) -> dict[str, set[str]]:
    """Module → the modules of the product that it imports. `from package import name` is the package unless name is a module."""
    files = {module_name(tree, path): path for package in PRODUCT for path in code_files(tree, package)}
    homes = public_homes(tree)
    graph = {name: set() for name in files}
    for name, path in files.items():
        for wanted in imports(path, name):
            target = homes.get(wanted, wanted)
            while target and target not in files:
                target = target.rpartition(".")[0]
            if target and target != name:
                graph[name].add(target)
    return graph


def room_graph(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same between rooms: the first folder (or file) below leasc_core or leasc_ui."""
    rooms: dict[str, set[str]] = {}
    for name, targets in graph.items():
        here = _room(name)
        rooms.setdefault(here, set()).update(_room(target) for target in targets if _room(target) != here)
    return rooms


def _room(name: str) -> str:
    return ".".join(name.split(".")[:2])


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of nodes that can all reach one another (strongly connected components of two or more)."""
    reached = {node: _reachable(graph, node) for node in graph}
    groups = {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reachable(graph, start) -> set[str]:
    found, waiting = set(), list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(graph.get(node, ()))
    return found


def state_files(tree: Path) -> list[Path]:
    """The files of leasc_ui that synchronise state, as STATE_WORDS defines them."""
    return [
        path
        for path in code_files(tree, "leasc_ui")
        if path.is_relative_to(tree / "leasc_ui" / "session") or path.stem.rpartition("_")[2] in STATE_WORDS
    ]


def streamlit_privates(tree: Path) -> list[str]:
    """file:line of each import from an undocumented module of Streamlit, and of each underscore attribute of it."""
    found = []
    for package in ("leasc_ui", "pages"):
        for path in code_files(tree, package):
            found += [f"{path.relative_to(tree)}:{line}" for line in sorted(set(_private_lines(path)))]
    return found


def _private_lines(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names] if not node.level else []
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            names = ["streamlit._"] if ast.unparse(node.value).split(".")[0] in ("st", "streamlit") else []
        else:
            continue
        if any(name.startswith("streamlit.") and name.split(".")[1] not in PUBLIC_STREAMLIT for name in names):
            yield node.lineno


def format_skips(tree: Path) -> int:
    """Lines that ask the formatter to leave them alone."""
    own = Path("benchmarks/house.py")
    return sum(
        path.read_text().count("# fmt:" + " skip")
        for package in PACKAGES
        for path in code_files(tree, package)
        if path.relative_to(tree) != own
    )


def additions(tree: Path) -> dict[str, str]:
    """What is added → the files that its patch touches; a patch that the tree has outgrown counts for nothing."""
    found = {}
    for patch in sorted(ADDITIONS.glob("*.patch")):
        files = re.findall(r"^\+\+\+ b/(.+)$", patch.read_text("utf-8"), re.MULTILINE)
        fits = subprocess.run(["git", "apply", "--check", patch.resolve()], cwd=tree, capture_output=True).returncode == 0
        found[patch.stem] = f"{len(files)} ({', '.join(files)})" if fits else "does not apply"
    return found


def measure(tree: Path) -> dict[str, str]:
    """Label → value, in the order in which they are printed."""
    rows = {}
    for package in PACKAGES:
        paths = code_files(tree, package)
        folder, held = largest_folder(tree, paths)
        rows[f"{package}: files, lines"] = f"{len(paths)}, {lines(paths):,}"
        rows[f"{package}: largest flat folder"] = f"{held} ({folder})"
    for package in PRODUCT:
        rows[f"{package}: function body median / p90 / max"] = _spread(body_lengths(code_files(tree, package)))
    graph = module_graph(tree)
    rows["import cycles between rooms (modules in them)"] = _count(cycles(room_graph(graph)))
    rows["import cycles between modules (modules in them)"] = _count(cycles(graph))
    rows["state: files, lines"] = f"{len(state_files(tree))}, {lines(state_files(tree)):,}"
    rows["Streamlit's privates"] = str(len(streamlit_privates(tree)))
    rows["fmt: skip"] = str(format_skips(tree))
    rows |= {f"files to add: {name}": touched for name, touched in additions(tree).items()}
    return rows


def _spread(lengths: list[int]) -> str:
    if not lengths:
        return "–"
    p90 = lengths[min(len(lengths) - 1, int(0.9 * len(lengths)))]
    return f"{statistics.median(lengths):g} / {p90} / {lengths[-1]} lines"


def _count(groups: list[list[str]]) -> str:
    return f"{len(groups)} ({sum(map(len, groups))})"


def print_table(trees: list[Path]) -> None:
    """One row a figure, one column a tree."""
    names = [tree.resolve().name for tree in trees]
    measured = [measure(tree) for tree in trees]
    print("|  | " + " | ".join(names) + " |\n|---|" + "---|" * len(trees))
    for label in measured[0]:
        print(f"| {label} | " + " | ".join(rows[label] for rows in measured) + " |")


def print_details(tree: Path) -> None:
    """What the counts are made of: crowded folders, cycles, state files, privates."""
    print(f"\n{tree.resolve().name}:")
    held = Counter(str(p.parent.relative_to(tree)) for package in PRODUCT for p in code_files(tree, package))
    crowded = [f"{folder} {count}" for folder, count in held.most_common() if count > FOLDER_LIMIT]
    graph = module_graph(tree)
    print(f"  folders above {FOLDER_LIMIT} files: {', '.join(crowded) or 'none'}")
    for kind, found in (("rooms", cycles(room_graph(graph))), ("modules", cycles(graph))):
        print(f"  cycles between {kind}: {'; '.join(' ↔ '.join(group) for group in found) or 'none'}")
    print(f"  Streamlit's privates: {', '.join(streamlit_privates(tree)) or 'none'}")
    print("  state code (lines that synchronise widgets, address, undo and session):")
    for path in state_files(tree):
        print(f"    {lines([path]):4d}  {path.relative_to(tree)}")


def main() -> None:
    """Print the table, and below it what the counts are made of."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, action="append", help="a checkout to measure (again for another beside it)")
    parser.add_argument("--brief", action="store_true", help="the table alone")
    options = parser.parse_args()
    trees = options.tree or [Path(__file__).parents[1]]
    print_table(trees)
    if not options.brief:
        for tree in trees:
            print_details(tree)


if __name__ == "__main__":
    main()
