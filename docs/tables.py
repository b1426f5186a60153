"""Write docs/tables.md from finished benchmarks, and print the README's short table; nothing is computed.

`python docs/tables.py yaleb-bench mnist5k-bench`
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from leasc_core.bench import RECIPES, Table  # noqa: E402
from leasc_core.bench.rows import read_rows  # noqa: E402

HEAD = """# The paper's tables, run again

Written by `python docs/tables.py FOLDER…` from the rows of `python -m leasc_core bench RECIPE`. Methods are sorted by accuracy; a
▼ is more than 5 points under the paper, and the reason stands below the table. Processor seconds count a run's own work, all
threads together; seconds are the wall clock's.
"""


def tables_of(folders):
    """The tables whose rows lie in these folders; of a row that was computed again, the last counts."""
    for path in (path for folder in folders for path in sorted(Path(folder).glob("*.jsonl"))):
        if path.stem in RECIPES:
            latest = {str(row["key"]): row for row in read_rows(path)}
            yield Table(RECIPES[path.stem], list(latest.values()))


def short(tables):
    """ACC of every method in every table, ours and the paper's."""
    cells = {}
    for table in tables:
        for line in table.summary():
            paper = "–" if line["paper"] is None else f"{line['paper'][0]:.1f}"
            spread = f" ± {100 * line['acc_sd']:.1f}" if line.get("acc_sd") is not None else ""
            ours = f"{100 * line['acc']:.1f}{spread}" if line["seeds"] else "–"
            cells.setdefault(line["label"], {})[table.recipe.name] = f"{ours} ({paper})"
    names = [table.recipe.name for table in tables]
    lines = ["| ACC %, ours (the paper's) | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    lines += [f"| {label} | " + " | ".join(found.get(name, "") for name in names) + " |" for label, found in cells.items()]
    return "\n".join(lines)


def main(folders):
    tables = list(tables_of(folders))
    parts = [HEAD, *(f"## {table.recipe.name}\n\n{table.markdown()}" for table in tables)]
    (Path(__file__).parent / "tables.md").write_text("\n".join(parts), "utf-8")
    print(short(tables))


if __name__ == "__main__":
    main(sys.argv[1:])
