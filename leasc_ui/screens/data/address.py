"""The choices of the Data page as an address, and an address, however stale, as choices. No Streamlit in here."""

import json
from dataclasses import replace

from leasc_core.data.columns.info import check_roles
from leasc_core.data.synthetic.presets import PRESETS
from leasc_ui.data.choices import READING, SAMPLES, SPECTRA, WAYS, DataChoices, FileChoice, Making, of_preset, of_sample
from leasc_ui.session import fields

# Options of reading that are numbers.
NUMBERS = {"background": float, "window": int}


def to_address(choices):
    """What differs from the default, as query parameters; an uploaded file is private and is left out."""
    if choices.way is None:
        return {}
    address = {"way": choices.way}
    if choices.way == "make":
        base = of_preset(choices.making.preset)
        address |= {"preset": choices.making.preset} | fields.to_address(choices.making, base)
    if choices.way == "sample" and choices.sample:
        address["sample"] = choices.sample
    if choices.way == "file" and choices.file.path and choices.file.root == "server":
        address["file"] = choices.file.path
        address |= {name: _written(value) for name, value in choices.file.options().items()}
    return address | fields.to_address(choices.cleaning, prefix="clean_")


def from_address(given):
    """The choices of an address; what is missing, unknown or out of range takes its default, as in a stale link."""
    way = given.get("way")
    if way not in WAYS:
        return DataChoices()
    choices = DataChoices(way=way)
    if way == "make":
        preset = given.get("preset") if given.get("preset") in PRESETS else Making().preset
        choices = replace(choices, making=replace(fields.from_address(of_preset(preset), given), preset=preset))
    if way == "sample" and given.get("sample") in SAMPLES:
        choices = of_sample(given["sample"])
    if way == "file" and given.get("file"):
        asked = {name: _option(name, given[name]) for name in READING if name in given} | {"roles": _roles(given.get("roles"))}
        choices = replace(choices, file=FileChoice(path=given["file"], root="server", **asked))
    return replace(choices, cleaning=fields.from_address(choices.cleaning, given, "clean_"))


def _written(value):
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else fields.text(value)


def _roles(text):
    """Roles of columns; None where an address says nothing sound."""
    try:
        return tuple(sorted(check_roles(json.loads(text or "null")).items())) or None
    except (ValueError, TypeError, RecursionError):
        return None


def _option(name, text):
    """What an address says of one option; None where it says nothing sound."""
    if name == "spectrum":
        return "none" if text == "no" else text if text in SPECTRA else None
    if name not in NUMBERS:
        return {"yes": True, "no": False}.get(text, text)
    try:
        return NUMBERS[name](text)
    except ValueError:
        return None
