"""The choices of the Data page as an address, and an address, however stale, as choices. No Streamlit in here."""

import json
from dataclasses import fields, replace

from leasc_core.data.presets import PRESETS
from leasc_ui.data_choices import READING, SAMPLES, WAYS, Cleaning, DataChoices, FileChoice, Making, of_preset, of_sample

# What each slider may say; a link is held to the same limits.
RANGES = {
    "subspaces": (1, 20), "dim": (1, 10), "ambient": (2, 100), "points": (10, 1000), "balance": (1.0, 20.0), "angle": (0.0, 90.0),
    "noise": (0.0, 30.0), "rays_noise": (0.0, 3.0), "outlying": (0.0, 20.0), "missing": (0.0, 50.0), "outliers": (0.0, 50.0),
    "seed": (0, 9999), "components": (1, 500), "variance": (50.0, 100.0),
}  # fmt: skip
CHOICES = {
    "preset": tuple(PRESETS),
    "spread": ("gaussian", "uniform", "one_sided"),
    "missing_values": ("low_rank", "mean", "drop"),
    "reduce": ("no", "components", "variance"),
}


def to_address(choices):
    """What differs from the default, as query parameters; an uploaded file is private and is left out."""
    if choices.way is None:
        return {}
    address = {"way": choices.way}
    if choices.way == "make":
        base = of_preset(choices.making.preset)
        address |= {"preset": choices.making.preset} | _differences(choices.making, base, skip=("preset",))
    if choices.way == "sample" and choices.sample:
        address["sample"] = choices.sample
    if choices.way == "file" and choices.file.path and choices.file.root == "server":
        address["file"] = choices.file.path
        address |= {name: _text(value) for name, value in choices.file.options().items()}
    return address | _differences(choices.cleaning, _base_cleaning(choices), prefix="clean_")


def from_address(given):
    """The choices of an address; what is missing, unknown or out of range takes its default, as in a stale link."""
    way = given.get("way")
    if way not in WAYS:
        return DataChoices()
    choices = DataChoices(way=way)
    if way == "make":
        preset = given.get("preset") if given.get("preset") in CHOICES["preset"] else Making().preset
        choices = replace(choices, making=_read(of_preset(preset), given))
    if way == "sample" and given.get("sample") in SAMPLES:
        choices = of_sample(given["sample"])
    if way == "file" and given.get("file"):
        asked = {name: _option(given[name]) for name in READING if name in given} | {"leave_out": _names(given.get("leave_out"))}
        choices = replace(choices, file=FileChoice(path=given["file"], root="server", **asked))
    return replace(choices, cleaning=_read(choices.cleaning, given, prefix="clean_"))


def _base_cleaning(choices):
    return of_sample(choices.sample).cleaning if choices.way == "sample" and choices.sample else Cleaning()


def _differences(settings, base, prefix="", skip=()):
    return {
        prefix + each.name: _text(getattr(settings, each.name))
        for each in fields(settings)
        if each.name not in skip and getattr(settings, each.name) != getattr(base, each.name)
    }


def _read(base, given, prefix=""):
    """``base`` with every sound value of the address."""
    changes = {}
    for each in fields(base):
        text = given.get(prefix + each.name)
        if text is None or each.name == "preset":
            continue
        value = _sound(each.name, text, getattr(base, each.name))
        if value is not None:
            changes[each.name] = value
    return replace(base, **changes)


def _sound(name, text, example):
    """The value of a text of the address, of the type of ``example``; None where it is none or out of range."""
    if isinstance(example, bool):
        return {"yes": True, "no": False}.get(text)
    if isinstance(example, str):
        allowed = CHOICES["missing_values" if name == "missing" else name]
        return text if text in allowed else None
    try:
        value = type(example)(text)
    except ValueError:
        return None
    low, high = RANGES[name]
    return value if low <= value <= high else None


def _text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _names(text):
    """Names of columns; None where an address says nothing sound."""
    try:
        names = json.loads(text or "null")
    except ValueError:
        return None
    return tuple(names) if isinstance(names, list) and names and all(isinstance(name, str) for name in names) else None


def _option(text):
    return {"yes": True, "no": False}.get(text, text)
