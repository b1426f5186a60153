"""Write docs/tables.md from finished benchmarks: `python docs/tables.py yaleb-bench mnist5k-bench` (nothing is computed)."""

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


def main(folders):
    parts = [HEAD]
    for path in (path for folder in folders for path in sorted(Path(folder).glob("*.jsonl"))):
        if path.stem in RECIPES:
            latest = {str(row["key"]): row for row in read_rows(path)}
            parts.append(f"## {path.stem}\n\n{Table(RECIPES[path.stem], list(latest.values())).markdown()}")
    (Path(__file__).parent / "tables.md").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
