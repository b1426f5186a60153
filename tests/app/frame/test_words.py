"""Names from data, in every role, are text on every page: no picture, link, formula or colour comes of them."""

import re
from pathlib import Path

import numpy as np
import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from leasc_ui.frame.words import WORD_JOINER, from_data
from tests.app.visits import HOME

PICTURE = "![x](http://evil.example/p.png)"
EVIL = f"{PICTURE} :red[a] $x^2$ <img src=x> **b** `c`"
FILE = "![x](www.evil.example) :red[a].csv"
PATIENCE = 120
# What a picture, a link, a colour or a formula begins with, where no backslash stands before it.
ALIVE = re.compile(r"(?<!\\)\]\((?:http|www)|:red(?<!\\)\[|(?<!\\)\$x|(?<!\\)<img|https?://evil")
# How a script would make more than text of a text.
WRITES_HTML = re.compile(r"(?:inner|outer)HTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML")
# What Streamlit shows as it is, letter for letter.
PLAIN = {
    "arrowDataFrame",
    "arrowVegaLiteChart",
    "selectbox",
    "multiselect",
    "textInput",
    "fileUploader",
    "downloadButton",
    "imgs",
}
PLAIN |= {"html", "skeleton", "empty", "numberInput"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, 3.5 % of x_1 (really)", "plain words, 3.5 % of x_1 (really)"),
        (PICTURE, rf"!\[x\](http:{WORD_JOINER}//evil.example/p.png)"),
        (":red[a]", rf":{WORD_JOINER}red\[a\]"),
        (":material/home:", f":{WORD_JOINER}material/home:"),
        ("a\n# b\u2028c", "a # b c"),
        ("# b", r"\# b"),
        ("1. b", f"1{WORD_JOINER}. b"),
        ("a_b _c_ &lt;", r"a_b \_c\_ \&lt;"),
        ("\u202egnp.exe", "gnp.exe"),
        ("www.evil.example", f"www{WORD_JOINER}.evil.example"),
        (r"\[x\]", r"\\\[x\\\]"),
    ],
)
def test_text_is_shown_and_means_nothing(text, shown):
    assert from_data(text) == shown


def test_a_text_without_end_is_cut():
    assert len(from_data("a" * 10_000)) <= 600


def shown_as_markdown(app):
    """Every string of every element that Streamlit reads as Markdown."""
    nodes, found = [app._tree], []
    while nodes:
        node = nodes.pop()
        nodes += getattr(node, "children", {}).values()
        if getattr(node, "proto", None) is None or getattr(node, "type", "") in PLAIN:
            continue
        if node.type == "bidi_component":  # a picture of our own, which writes its words as text
            assert not WRITES_HTML.search(node.proto.js_content), node.proto.component_name
            found.append(node.proto.html_content)
            continue
        said = MessageToDict(node.proto)
        if not PLAIN & said.keys():
            found += list(strings(said))
    return found


def strings(part):
    if isinstance(part, dict):
        part = [value for name, value in part.items() if name not in ("id", "key", "arrowData")]
    if isinstance(part, list):
        for each in part:
            yield from strings(each)
    elif isinstance(part, str):
        yield part


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A table whose name, columns and classes are all hostile, in the server's folder."""
    rng, columns = np.random.default_rng(0), [f"{EVIL} {at}".replace(",", ";") for at in range(6)]
    X = np.concatenate([rng.normal(size=(40, 2)) @ rng.normal(size=(2, 6)) for _ in range(3)])
    lines = [",".join([*(f"{value:.6f}" for value in row), f"{EVIL} class {at // 40}"]) for at, row in enumerate(X)]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE).write_text("\n".join([",".join([*columns, "class"]), *lines]), "utf-8")
    monkeypatch.setenv("LEASC_DATA", str(tmp_path / "data"))
    return FILE


def visit(app, page, **address):
    app.switch_page(page)
    app.query_params.clear()
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    alive = [text for text in shown_as_markdown(app) if ALIVE.search(text)]
    assert not alive, (page, alive)
    return app


@pytest.mark.slow
def test_hostile_names_are_text_on_every_page(table):
    app = AppTest.from_file(HOME, default_timeout=PATIENCE)
    visit(app, "pages/2_Data.py", way="file", file=table, label="class")
    assert app.session_state["session"].pipeline.data is not None, [each.value for each in app.error]
    for page in sorted(Path(HOME.parent / "pages").glob("*.py")):
        visit(app, f"pages/{page.name}")
    visit(app, "pages/5_Cluster.py", how="given", clusters="3")
    app.button(key="begin").click().run()
    for _ in range(100):
        if app.session_state["session"].pipeline.ready("clusters") is not None:
            break
        app.run()
    assert app.session_state["session"].pipeline.ready("clusters") is not None
    for page in ("pages/5_Cluster.py", "pages/7_Theory.py", "pages/8_Compare.py", "pages/6_Label_new_data.py", "app.py"):
        visit(app, page)


LINKS = {"data.label": PICTURE, "data.array": PICTURE, "data.file": PICTURE}


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("page", ["pages/3_Representatives.py", "pages/4_Train.py", "pages/5_Cluster.py", "pages/7_Theory.py"])
def test_a_link_cannot_show_a_picture(page, name, table):
    address = {"data.way": "file", "data.file": table, name: LINKS[name]}
    visit(AppTest.from_file(HOME, default_timeout=PATIENCE), page, **address)
