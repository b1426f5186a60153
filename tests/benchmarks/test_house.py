"""The measurements of the code's shape, on a small tree whose figures can be counted by hand."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import house

ROOT = Path(__file__).parents[2]
FILES = {
    "leasc_core/__init__.py": '_HOMES = {"Fit": "leasc_core.late.fit"}\n',
    "leasc_core/early/__init__.py": "",
    "leasc_core/early/read.py": "def read():\n    from leasc_core import Fit\n\n    return Fit\n",
    "leasc_core/late/__init__.py": "",
    "leasc_core/late/fit.py": 'from ..early import read\n\n\ndef Fit():\n    """Words."""\n    return read\n',
    "leasc_ui/__init__.py": "",
    "leasc_ui/session/__init__.py": "",
    "leasc_ui/session/undo.py": "import streamlit as st\n\nst._main\n",
    "leasc_ui/train_room.py": "from streamlit.runtime import get_instance  # fmt: skip\nfrom streamlit.components import v2\n",
    "leasc_ui/view.py": "import streamlit as st\n",
}


@pytest.fixture
def tree(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_lazy_imports_and_public_names_count_in_cycles(tree):
    graph = house.module_graph(tree)
    assert house.cycles(graph) == [["leasc_core.early.read", "leasc_core.late.fit"]]
    assert house.cycles(house.room_graph(graph)) == [["leasc_core.early", "leasc_core.late"]]


def test_state_code_is_the_session_and_the_files_named_for_it(tree):
    names = [str(path.relative_to(tree)) for path in house.state_files(tree)]
    assert names == ["leasc_ui/session/__init__.py", "leasc_ui/session/undo.py", "leasc_ui/train_room.py"]


def test_privates_of_streamlit_are_found_and_its_public_modules_are_not(tree):
    assert house.streamlit_privates(tree) == ["leasc_ui/session/undo.py:3", "leasc_ui/train_room.py:1"]
    assert house.format_skips(tree) == 1


def test_bodies_are_counted_without_signature_and_docstring(tree):
    assert house.body_lengths(house.code_files(tree, "leasc_core")) == [1, 3]
    assert house.largest_folder(tree, house.code_files(tree, "leasc_ui")) == ("leasc_ui", 3)


def test_two_trees_stand_side_by_side(tree):
    command = [sys.executable, "-m", "benchmarks.house", "--tree", str(tree), "--tree", str(tree)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "| state: files, lines | 3, 5 | 3, 5 |" in said
    assert "leasc_core.early ↔ leasc_core.late" in said
