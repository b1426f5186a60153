"""Every code block of the documentation runs, Python in one namespace a page, shell lines by the command; links lead on."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from leasc_core.cli.main import COMMANDS
from leasc_core.coding.variants import VARIANTS
from leasc_core.spectral.kept import KEPT_GRAPHS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Lines of blocks in no language: how to install and to serve. What they name is tried by `make test-package` and `make test`.
TRIED = re.compile(r"pip install \"?\.|leasc points\.csv|make (run|test)\b|docker (build|run|compose) ")
LINK = re.compile(r"\]\(([^)#]+?)(?:#[^)]*)?\)")


def blocks(page, language):
    return [text for found, text in BLOCK.findall(page.read_text("utf-8")) if found == language]


def named(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


@named([page for page in PAGES if blocks(page, "python")])
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = {"__name__": "page"}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), told)


@named([page for page in PAGES if blocks(page, "bash")])
def test_shell_blocks_run(page, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LEASC_CACHE": str(tmp_path / "cache")}
    for line in "".join(blocks(page, "bash")).splitlines():
        program, *words = shlex.split(line, comments=True) or [""]
        if program:
            assert program == "leasc", f"{line}: only the program's own command may stand here"
            done = subprocess.run(
                [sys.executable, "-m", "leasc_core", *words], cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{line}: {done.stderr}"


@named(PAGES)
def test_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text("utf-8"))
    gone = [link for link in LINK.findall(text) if "://" not in link and not (page.parent / link).exists()]
    assert not gone


@named([page for page in PAGES if blocks(page, "")])
def test_a_block_that_is_not_run_only_installs_or_serves(page):
    lines = [line for block in blocks(page, "") for line in block.splitlines() if line]
    assert [line for line in lines if not TRIED.match(line)] == []


def test_every_block_is_run_or_named_above():
    assert {language for page in PAGES for language, _ in BLOCK.findall(page.read_text("utf-8"))} <= {"", "python", "bash"}


def test_the_table_of_commands_is_whole():
    named = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "commands.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(COMMANDS)


def test_the_map_of_the_code_names_every_room():
    rooms = {path.parent.name for path in (ROOT / "leasc_core").glob("*/__init__.py")}
    table = " ".join(line for line in (ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines() if line.startswith("| `"))
    assert rooms - set(re.findall(r"\w+", table)) == set()


def test_the_method_names_every_graph_and_variant():
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "method.md").read_text("utf-8")))
    assert {"landmarks", "codes", *KEPT_GRAPHS, *VARIANTS} <= named


@named(sorted((ROOT / "docs" / "kinds").glob("*.md")))
def test_every_kind_says_what_to_expect_and_what_not_to_conclude(page):
    text = page.read_text("utf-8")
    assert "**What to expect.**" in text and "**What may not be concluded.**" in text
