"""What a run has finished, kept so that it need not be done again: in memory only, or in a folder that outlives a kill."""

import json
from pathlib import Path

from ..errors import BundleError, RunError
from .bundle import read_bundle, write_bundle
from .files import open_own, replacing, writing
from .tables import FileTable, MemoryTable

VERSION = 1


class MemoryStore:
    """Keeps nothing beyond the fit; knows only the stages it was given."""

    def __init__(self):
        self._given = {}

    def once(self, name, make):
        """``(settings, arrays)`` as they were given, or else that ``make()`` gives."""
        return self._given[name] if name in self._given else make()

    def has(self, name):
        """Whether that stage was given."""
        return name in self._given

    def put(self, name, settings, arrays):
        """Take a stage that was finished elsewhere."""
        self._given[name] = settings, arrays

    def table(self, name, shape, dtype):
        """A table to append rows to."""
        return MemoryTable(shape, dtype)


class FolderStore:
    """Keeps each finished stage in ``folder``, for one ``identity`` (data, parameters, version) and no other.

    A stage is a model bundle (settings and arrays, no pickle), a table a ``.npy`` file that knows how far it is.
    """

    def __init__(self, folder, identity):
        self.folder = Path(folder)
        with writing(self.folder / "identity.json"):
            self.folder.mkdir(parents=True, exist_ok=True)
        self._claim({"version": VERSION, **identity})

    def once(self, name, make):
        """The stage as it was kept, or else made, kept and returned."""
        path = self.folder / f"{name}.stage"
        if path.exists():
            try:
                return read_bundle(path, f"stage {name}")
            except BundleError:
                path.unlink()  # only a disk that lost what it had synced can do this: make it again
        settings, arrays = make()
        self.put(name, settings, arrays)
        return settings, arrays

    def put(self, name, settings, arrays):
        """Keep a stage that was finished elsewhere."""
        path = self.folder / f"{name}.stage"
        with writing(path):
            write_bundle(path, f"stage {name}", settings, arrays)

    def has(self, name):
        """Whether that stage is finished."""
        return (self.folder / f"{name}.stage").exists()

    def table(self, name, shape, dtype):
        """The table of that name, with the rows it already has."""
        return FileTable(self.folder / f"{name}.npy", shape, dtype)

    def _claim(self, identity):
        path = self.folder / "identity.json"
        if not path.exists():
            with writing(path), replacing(path) as file:
                file.write(json.dumps(identity, indent=1, sort_keys=True).encode())
            return
        try:
            with open_own(path) as file:
                known = dict(json.loads(file.read()))
        except (OSError, ValueError, TypeError) as error:
            raise RunError(f"{path} cannot be read ({error}); delete the run folder and start again.") from None
        for what, value in identity.items():
            if known.get(what) != value:
                raise RunError(
                    f"The checkpoints in {self.folder} were made with another {what} ({_short(known.get(what))}, now "
                    f"{_short(value)}); resume with the same one, or choose a new run folder."
                )


def _short(value):
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "…"
