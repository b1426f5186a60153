"""What a run writes down as JSON: with a checksum, so that a damaged record is refused, and checked for what it must say."""

import dataclasses
import hashlib
import json

import numpy as np

from .. import events
from ..errors import RunError
from ..storage.files import open_own, replacing

CHECKSUM = "checksum"
KINDS = {kind.__name__: kind for kind in vars(events).values() if dataclasses.is_dataclass(kind)}


def write_record(path, value: dict):
    """Write a dictionary, whole or not at all."""
    value = json.loads(json.dumps(value, default=plain))
    with replacing(path) as file:
        file.write(json.dumps({**value, CHECKSUM: _checksum(value)}, indent=1).encode())


def read_record(path):
    """What was written; a `RunError` where the file is damaged, a `FileNotFoundError` where there is none."""
    try:
        with open_own(path) as file:
            value = json.loads(file.read())
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{path} cannot be read ({error}); start a new run.") from None
    if isinstance(value, dict) and CHECKSUM in value and value.pop(CHECKSUM) != _checksum(value):
        raise RunError(f"{path} is damaged: it does not match its checksum; start a new run.")
    return value


def require(record, kinds: dict, path):
    """The record, if it says all of ``kinds`` (name → type); a `RunError` names what it lacks."""
    for name, kind in kinds.items():
        if not isinstance(record, dict) or not isinstance(record.get(name), kind):
            raise RunError(f"{path} does not say {name!r} as a run does; start a new run.")
    return record


def is_whole(event):
    """Whether a line of ``events.jsonl`` is an event with all that one of its kind says."""
    if not isinstance(event, dict) or not isinstance(event.get("event"), str) or not isinstance(event.get("time"), (int, float)):
        return False
    kind = KINDS.get(event["event"])
    return kind is None or {field.name for field in dataclasses.fields(kind)} <= event.keys()


def plain(value):
    """NumPy's numbers as Python's, anything else as text: how `json.dumps` is told to write them."""
    return value.item() if isinstance(value, np.generic) else str(value)


def _checksum(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]
