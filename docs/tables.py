"""Write docs/tables.md from finished benchmarks, and print the README's short table; nothing is computed.

`python docs/tables.py yaleb-bench mnist5k-bench`
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from leasc_core.baselines import FAMILIES  # noqa: E402
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
    """The best of each family in every table, ours and the paper's."""
    names = [table.recipe.name for table in tables]
    lines = ["| the best of its family, ACC % (the paper's) | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for family, title in FAMILIES.items():
        cells = [_best([line for line in table.summary() if line["family"] == family and "acc" in line]) for table in tables]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _best(lines):
    if not lines:
        return "–"
    paper = "–" if lines[0]["paper"] is None else f"{lines[0]['paper'][0]:.1f}"
    return f"{lines[0]['label']} {100 * lines[0]['acc']:.1f} ({paper})"


def main(folders):
    tables = list(tables_of(folders))
    parts = [HEAD, *(f"## {table.recipe.name}\n\n{table.markdown()}" for table in tables)]
    (Path(__file__).parent / "tables.md").write_text("\n".join(parts), "utf-8")
    print(short(tables))


if __name__ == "__main__":
    main(sys.argv[1:])
