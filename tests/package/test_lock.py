"""The lock names what is required, with hashes, and a program that was installed by it finds what every package asks for."""

import re
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as plain

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([\w.-]+)==([^\s\\]+)((?: \\\n    --hash=sha256:[0-9a-f]{64})*)", re.M)
LOCK, REQUIRED = ((ROOT / name).read_text("utf-8") for name in ("requirements.lock", "requirements.txt"))
LOCKED = {plain(name): (version, hashes) for name, version, hashes in PIN.findall(LOCK)}
WANTED = {plain(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", REQUIRED, re.M)}


def test_everything_required_is_locked_in_its_version_and_with_hashes():
    assert LOCKED and all(hashes for _, hashes in LOCKED.values())
    assert {name: LOCKED[name][0] for name in WANTED.keys() - {"torch"}} == {
        name: version for name, version in WANTED.items() if name != "torch"
    }


def test_what_packages_ask_for_is_locked_too():
    missing = set()
    for name in LOCKED:
        for each in map(Requirement, requires(name) or ()):
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                missing |= {plain(each.name)} - LOCKED.keys()
    assert missing <= {"torch"}
