"""What ``bench`` says on a terminal: the list of recipes and methods, a line a row, the table, the grid."""

import sys

from ..terminal import pairs, plain, styled


def tell_list(folder=None):
    """Recipes with what they need, and all methods by family."""
    from ... import baselines
    from ...bench import RECIPES
    from ...bench.recipes import data_folder

    print(styled("Recipes", "bold", sys.stdout))
    where = data_folder(folder)
    for recipe in RECIPES.values():
        missing = recipe.missing_files(where)
        print(f"  {recipe.name.ljust(10)} {recipe.title}")
        if missing:
            print(styled(f"  {'':10} needs {', '.join(missing)} in {plain(where)}: {recipe.source}", "dim", sys.stdout))
    for family, title in baselines.FAMILIES.items():
        print(f"\n{styled(title, 'bold', sys.stdout)}")
        pairs([(name, f"{baselines.get(name).label}: {baselines.get(name).blurb}") for name in baselines.names(family)])
    return 0


def tell_row(row, number, total):
    """One line for a row of a table or a cell of a sweep."""
    place = f"{number}/{total}"
    what = f"{row['label']}, seed {row['seed']}" if "method" in row else _in_words(row["cell"])
    if row["status"] != "done":
        return plain(f"{place}  {what}: {row['status']}: {row['message']}")
    scores = row if "method" in row else (row["scores"] or {})
    judged = f"ACC {100 * scores['acc']:.1f} %, NMI {100 * scores['nmi']:.1f} %, " if "acc" in scores else ""
    return plain(f"{place}  {what}: {judged}{_quality(row.get('quality'))}{row['seconds']:.1f} s")


def _quality(quality):
    if quality is None:
        return ""
    known = [f"{name.replace('_', ' ')} {value:.3f}" for name, value in quality.items() if value is not None]
    return ", ".join(known) + ", " if known else ""


def tell_table(table, folder):
    """The table, and where it lies."""
    print(table.text())
    print(styled(f"Kept in {plain(folder)}/ as {table.recipe.name}.csv, .parquet and .md", "dim", sys.stdout))


def tell_grid(grid, folder):
    """The cells chosen without labels, and, apart, an oracle's."""
    from ...bench import QUALITIES, SCORES

    print(grid.frame().to_string(index=False, float_format=lambda value: f"{value:.4g}"))
    print(f"\n{styled('Chosen without labels', 'bold', sys.stdout)}")
    chosen = {words: grid.chosen(quality) for quality, (words, _) in QUALITIES.items()}
    pairs([(words, "not known" if row is None else _in_words(row["cell"])) for words, row in chosen.items()])
    oracle = {words: grid.oracle(score) for score, words in SCORES.items()}
    if any(oracle.values()):
        print(f"\n{styled('Oracle: what looking at the labels would choose', 'bold', sys.stdout)}")
        pairs([(words, _in_words(row["cell"])) for words, row in oracle.items() if row])
    print(styled(f"\nKept in {plain(folder)}/ as sweep.csv and sweep.parquet", "dim", sys.stdout))


def _in_words(cell):
    return ", ".join(f"{name} = {value}" for name, value in cell.items())
