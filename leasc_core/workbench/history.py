"""The list of edits: do, undo, redo, in words, and on disk beside the run."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import DataError
from ..storage.files import replacing, writing
from .replay import State, apply, beginning, replay
from .rows import rows_of
from .steps import Colour, Give, Lock, Merge, Name, Noise, Note, Recluster, Step, TakeOut, from_plain, to_plain

FILE = "edits.json"
FORMAT, VERSION = "leasc-edits", 1
MOST_BYTES = 256 << 20


@dataclass(frozen=True)
class History:
    """``steps`` that were done, the first one first; ``undone`` ones, the next to be done again last."""

    steps: tuple = ()
    undone: tuple = ()

    def do(self, step: Step, state: State) -> tuple:
        """``(history, state)`` after one more step; it is refused by an error, and what was undone is gone."""
        after = apply(step, state)
        return History((*self.steps, step)), after

    def undo(self) -> "History":
        """Without the last step."""
        return History(self.steps[:-1], (*self.undone, self.steps[-1])) if self.steps else self

    def redo(self) -> "History":
        """With the step that was undone last."""
        return History((*self.steps, self.undone[-1]), self.undone[:-1]) if self.undone else self

    def state(self, labels: np.ndarray, n_clusters: int | None = None) -> State:
        """Where the steps lead from a run's labels."""
        return replay(labels, self.steps, n_clusters)

    def plain(self) -> dict:
        """As JSON values."""
        edits = {"steps": to_plain(self.steps), "undone": to_plain(self.undone)}
        return {"format": FORMAT, "version": VERSION, **edits}

    @classmethod
    def from_plain(cls, value) -> "History":
        """What :meth:`plain` described; a :class:`DataError` for anything else."""
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise DataError("These are no edits of this program; choose another file.")
        if value.get("version") != VERSION:
            raise DataError(f"The edits have version {value.get('version')!r} and this program reads {VERSION}; save them again.")
        return cls(from_plain(value.get("steps")), from_plain(value.get("undone", [])))

    def save(self, folder: str | Path) -> None:
        """Write the list beside a run, whole or not at all."""
        path = Path(folder) / FILE
        with writing(path), replacing(path) as file:
            file.write(json.dumps(self.plain()).encode())

    @classmethod
    def load(cls, folder: str | Path) -> "History":
        """The list beside a run; an empty one where there is none."""
        path = Path(folder) / FILE
        try:
            if path.stat().st_size > MOST_BYTES:
                raise DataError(f"{path.name} is larger than edits can be; remove it.")
            return cls.from_plain(json.loads(path.read_bytes()))
        except FileNotFoundError:
            return cls()
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise DataError(f"{path.name} cannot be read ({error}); remove it to begin without edits.") from None


def in_words(steps, labels: np.ndarray, n_clusters: int | None = None) -> list:
    """A sentence for each step, with the names that held when it was done."""
    state, told = beginning(labels, n_clusters), []
    for step in steps:
        told.append(_words(step, state))
        state = apply(step, state)
    return told


def _words(step, state):
    count = lambda text: f"{len(rows_of(text, len(state.labels))):,} points"  # noqa: E731
    match step:
        case Merge():
            first, *others = map(state.title, step.clusters)
            return f"Merged {', '.join(others)} into {first}"
        case TakeOut():
            return f"Took {count(step.rows)} out as {state.title(step.cluster)}"
        case Give():
            return f"Gave {count(step.rows)} to {state.title(step.cluster)}"
        case Noise():
            return f"Marked {count(step.rows) if step.cluster is None else state.title(step.cluster)} as noise"
        case Recluster():
            what = f"{sum(len(rows_of(part, len(state.labels))) for part in step.parts):,} points"
            what = what if step.inside is None else state.title(step.inside)
            return f"Split {what} into {', '.join(map(state.title, step.clusters))}"
        case Lock():
            return f"{'Locked' if step.locked else 'Unlocked'} {state.title(step.cluster)}"
        case Name():
            return (
                f"Called {state.title(step.cluster)} “{step.name}”"
                if step.name
                else f"Took the name of {state.title(step.cluster)}"
            )
        case Colour():
            return f"Coloured {state.title(step.cluster)}" if step.colour else f"Took the colour of {state.title(step.cluster)}"
        case Note():
            return "Wrote a note" if step.cluster is None else f"Wrote a note on {state.title(step.cluster)}"
