"""How a table is laid out: its columns, for Markdown and for a terminal, and the remarks below it."""

from ..paper.claims import claims_of

UNEXPLAINED = "not explained yet: ours to look into"
# Stages that take less of the time than this are not worth a word.
LEAST_SHARE = 0.05


def as_markdown(table):
    """Title, table and remarks for a README."""
    head, rows = columns(table)
    lines = [f"{table.recipe.title}. {_note(table)}", "", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += ["| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in rows]
    for title, points in remarks(table):
        lines += ["", title, "", *(f"- {point}" for point in points)]
    return "\n".join(lines) + "\n"


def as_text(table):
    """The same in aligned columns."""
    head, rows = columns(table)
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]

    def aligned(row):
        return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    lines = [table.recipe.title, _note(table), "", aligned(head), "  ".join("─" * width for width in widths), *map(aligned, rows)]
    for title, points in remarks(table):
        lines += ["", title, *(f"  {point}" for point in points)]
    return "\n".join(lines) + "\n"


def _note(table):
    if not table.recipe.paper:
        return "No label chose anything."
    return (
        "No label chose anything in our runs; the methods' fixed defaults were settled during development, with accuracies in "
        "view. The paper's parameters were chosen by labels: its figures are an oracle's."
    )


def columns(table):
    """Headings, and a list of cells a method."""
    head = ["method", "seeds", *table.heads.values()]
    head += ["paper ACC / NMI (oracle)"] if table.recipe.paper else []
    head += ["seconds", "of these", "processor s", "memory MB"]
    if table.recipe.paper_seconds:
        head += [f"{table.recipe.timed or 'all'} s, here / paper"]
    return head, [_cells(table, line) for line in table.summary()]


def _cells(table, line):
    recipe, done = table.recipe, line["seeds"]
    cells = [line["label"], str(done), *(_measured(table, line) if done else [line["message"], *["–"] * (len(table.heads) - 1)])]
    if recipe.paper:
        cells.append("–" if line["paper"] is None else "{:.1f} / {:.1f}".format(*line["paper"]))
    cells += _costs(line) if done else ["–"] * 4
    return cells + ([_timed(recipe, line)] if recipe.paper_seconds else [])


def _measured(table, line):
    known = ["–" if line.get(m) is None else _mean_sd(100 * line[m], line.get(f"{m}_sd"), 100) for m in table.heads]
    known[0] += " ▼" if line["behind"] else ""
    return known


def _costs(line):
    stages = sorted(line["stages"].items(), key=lambda stage: -stage[1])
    worth = [f"{name} {spent:.1f}" for name, spent in stages if spent >= LEAST_SHARE * line["seconds"]]
    processor = f"{line['processor']:.1f}" if "processor" in line else "–"
    return [f"{line['seconds']:.1f}", ", ".join(worth) or "–", processor, f"{line['megabytes']:,.0f}"]


def _timed(recipe, line):
    """Seconds of the stage that the paper's table times (or of all), ours and theirs."""
    theirs = "–" if line["paper_seconds"] is None else f"{line['paper_seconds']:g}"
    ours = (line["stages"].get(recipe.timed) if recipe.timed else line["seconds"]) if line["seeds"] else None
    return f"{'–' if ours is None else f'{ours:.2f}'} / {theirs}"


def remarks(table):
    """``(title, sentences)``: why rows are behind the paper, and how the paper's claims fare."""
    lines = table.summary()
    behind = [
        f"{line['label']} ({100 * line['acc']:.1f} against {line['paper'][0]:.1f}): "
        f"{table.recipe.reasons.get(line['method'], UNEXPLAINED)}."
        for line in lines
        if line["behind"]
    ]
    found = [
        ("▼ More than 5 points under the paper:", behind),
        ("The paper's claims, measured here:", claims_of(table.recipe.name, lines)),
        ("How these were measured:", _not_run(table) + _circumstances(table.rows)),
    ]
    return [(title, sentences) for title, sentences in found if sentences]


def _not_run(table):
    """Methods of the recipe that have no row."""
    there = {row["method"] for row in table.rows}
    missing = [plan.method for plan in table.recipe.plans if plan.method not in there]
    return [f"Not run: {', '.join(missing)}."] if missing and table.recipe.paper else []


def _circumstances(rows):
    """What stood in the way of the clock."""
    done = [row for row in rows if row["status"] == "done" and "processor" in row]
    busy = [row for row in done if row["processor"] < 0.8 * row["seconds"]]
    together = max((row.get("workers", 1) for row in done), default=1)
    said = []
    if together > 1:
        said.append(f"Up to {together} runs went on at once.")
    if busy:
        said.append(
            f"In {len(busy)} of {len(done)} runs the machine was busy with other work (a run got less than 80 % of one "
            "processor): compare processor seconds, which count only the run's own work, rather than seconds."
        )
    return said


def _mean_sd(mean, sd, scale):
    return f"{mean:.1f}" if sd is None else f"{mean:.1f} ± {scale * sd:.1f}"
