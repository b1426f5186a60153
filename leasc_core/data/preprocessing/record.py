"""Recorded steps as plain settings and named arrays, and back, with every array checked on the way in."""

from dataclasses import fields

import numpy as np

from leasc_core.data.preprocessing.steps import STEPS
from leasc_core.errors import BundleError


def record_steps(steps):
    """``(settings, arrays)``: one JSON-able dict a step, and arrays named ``position.field``."""
    settings, arrays = [], {}
    for position, step in enumerate(steps):
        entry = {"kind": step.kind}
        for field in fields(step):
            value = getattr(step, field.name)
            if isinstance(value, np.ndarray):
                arrays[f"{position}.{field.name}"] = np.ascontiguousarray(value)
            else:
                entry[field.name] = value
        settings.append(entry)
    return settings, arrays


def steps_from_record(settings, arrays, n_features):
    """The steps, or a BundleError that says what does not fit."""
    if not isinstance(settings, list) or not settings:
        raise BundleError("The recorded preprocessing lists no steps; save the model again.")
    steps = [_step(entry, arrays, position) for position, entry in enumerate(settings)]
    for position, step in enumerate(steps):
        if step.settles_missing != (position == 0):
            raise BundleError(f"The recorded step {step.kind!r} stands out of order; save the model again.")
        n_features = step.n_features_out(n_features)
    return steps


def _step(entry, arrays, position):
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if not isinstance(kind, str) or kind not in STEPS:
        raise BundleError(f"Preprocessing step {position} is {kind!r}, which this version does not know; update it.")
    return STEPS[kind](
        **{field.name: _value(field, entry, arrays.get(f"{position}.{field.name}"), kind) for field in fields(STEPS[kind])}
    )


def _value(field, entry, array, kind):
    """A recorded array of finite numbers, or a finite plain number, as the step's field asks for."""
    if field.type is np.ndarray:
        sound = isinstance(array, np.ndarray) and array.dtype.kind in "fi" and np.all(np.isfinite(array))
        value = array
    else:
        value = entry.get(field.name)
        sound = type(value) in (int, float) and np.isfinite(value)
    if not sound:
        raise BundleError(f"Preprocessing step {kind!r} has no sound {field.name!r}; save the model again.")
    return value
