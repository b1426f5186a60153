"""Rows as a table: means and deviations over seeds, the paper's numbers beside ours, saved as CSV, Parquet and Markdown."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...storage.files import replacing, writing
from ..quality import stability

MEASURES = ("acc", "nmi", "ari", "residual", "seconds", "processor", "megabytes")
BEHIND = 5.0
# What stands in a table with labels, and without.
WITH_LABELS = {"acc": "ACC %", "nmi": "NMI %", "ari": "ARI %"}
WITHOUT = {"residual": "held-out residual %", "stability": "stability %"}


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of a recipe.

    Every figure of ours is label-free: no label chose anything in its run. The paper's stand in columns of their own; their
    parameters were chosen by labels. ``folder`` is where the rows' labels lie, if they are kept.
    """

    recipe: object
    rows: list = field(repr=False)
    folder: Path | None = None

    @property
    def heads(self):
        """The scores of this table and how they are called."""
        return WITHOUT if any("residual" in row for row in self.rows) else WITH_LABELS

    def summary(self):
        """One dict a method, best accuracy first: mean and sd of each measure, seconds by stage, the paper's, how far behind.

        Without labels there is no accuracy, and what lies best on subspaces comes first.
        """
        methods = dict.fromkeys(row["method"] for row in self.rows)
        lines = [self._line([row for row in self.rows if row["method"] == method]) for method in methods]
        return sorted(lines, key=lambda line: (-line.get("acc", -1.0), line.get("residual", 1.0)))

    def frame(self):
        """All rows as a pandas frame, tidy: one run a line, one column a stage."""
        import pandas

        flat = []
        for row in self.rows:
            stages = {f"seconds.{stage}": value for stage, value in row.get("stages", {}).items()}
            nested = ("key", "stages", "settings", "processor_stages")
            rest = {name: value for name, value in row.items() if name not in nested}
            flat.append({**rest, "settings": ", ".join(f"{a}={b}" for a, b in row["settings"].items()), **stages})
        return pandas.DataFrame(flat)

    def markdown(self):
        """The table of a README, with what is to be said of it."""
        from .layout import as_markdown

        return as_markdown(self)

    def text(self):
        """The same for a terminal."""
        from .layout import as_text

        return as_text(self)

    def save(self, folder):
        """``<recipe>.csv``, ``.parquet`` and ``.md`` in ``folder``, each there whole or not at all."""
        folder, frame = Path(folder), self.frame()
        with writing(folder / self.recipe.name):
            folder.mkdir(parents=True, exist_ok=True)
            with replacing(folder / f"{self.recipe.name}.csv") as file:
                frame.to_csv(file, index=False)
            with replacing(folder / f"{self.recipe.name}.parquet") as file:
                frame.to_parquet(file, index=False)
            with replacing(folder / f"{self.recipe.name}.md") as file:
                file.write(self.markdown().encode())

    def _line(self, rows):
        first, done = rows[0], [row for row in rows if row["status"] == "done"]
        line = {name: first[name] for name in ("method", "label", "family")} | {"seeds": len(done)}
        line["message"] = next((row["message"] for row in rows if row["status"] != "done"), None)
        line["paper"] = self.recipe.paper.get(first["method"])
        line["paper_seconds"] = self.recipe.paper_seconds.get(first["method"])
        line["behind"] = False
        if not done:
            return line
        line["stability"] = self._stability(done)
        for name in MEASURES:
            values = [row[name] for row in done if name in row]
            if values:
                line |= {name: float(np.mean(values)), f"{name}_sd": float(np.std(values, ddof=1)) if len(values) > 1 else None}
        for name in ("stages", "processor_stages"):
            known = done[0].get(name, {})
            line[name] = {stage: float(np.mean([row.get(name, {}).get(stage, 0.0) for row in done])) for stage in known}
        line["behind"] = line["paper"] is not None and "acc" in line and 100 * line["acc"] < line["paper"][0] - BEHIND
        return line

    def _stability(self, rows):
        """Agreement of the labels over seeds, where all seeds had the same points; it needs no ground truth."""
        same = len({row["key"][-1] for row in rows if "key" in row}) == 1
        if self.folder is None or not same or not all("labels_file" in row for row in rows):
            return None
        return stability([np.load(self.folder / row["labels_file"], allow_pickle=False) for row in rows])
