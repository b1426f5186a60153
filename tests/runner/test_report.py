"""``report.html``: every section, nothing from elsewhere, nothing from the data as markup, and pictures that are true."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from leasc_core import make_union_of_subspaces
from leasc_core.runner.report_charts import code_matrix, curves, scattered, size_bars, spectrum, stage_bars
from leasc_core.runner.report_events import coding_history, sessions, stage_seconds
from leasc_core.runner.report_recipe import command_line, python_lines
from leasc_core.runner.run import start

SECTIONS = ("sizes", "spectrum", "embedding", "codes", "convergence", "times", "data", "parameters", "reproduce")
HOSTILE = "<img src=x onerror=alert(1)>&\"'"


class Page(HTMLParser):
    """Names of elements, sections, attributes and visible text; an element left open is an error."""

    VOID = ("meta", "rect", "circle", "path", "image", "br")

    def __init__(self, text):
        super().__init__()
        self.elements, self.sections, self.links, self.open = [], [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        self.elements.append(tag)
        self.links += [facts[name] for name in ("href", "src", "action", "data") if name in facts]
        assert not any(name.startswith("on") for name in facts)
        if tag == "section":
            self.sections.append(facts["id"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID or (self.open and self.open[-1] == tag):
            assert self.open.pop() == tag


def run(folder, **parameters):
    points, labels = make_union_of_subspaces(3, 2, 10, 80, shuffle=True)
    np.savez(folder / "planes.npz", X=points, y=labels)
    start(folder / "run", folder / "planes.npz", {"n_representatives": 60, "hidden": [30], **parameters})
    return (folder / "run" / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    "parameters",
    [{}, {"n_clusters": 3, "variant": "nuclear"}, {"affinity": "codes"}, {"n_clusters": 40, "variant": "l1"}, {"n_clusters": 1}],
    ids=lambda p: "-".join(map(str, p.values())) or "defaults",
)
@pytest.mark.filterwarnings("ignore:n_clusters=1 puts every point")
def test_every_section_is_there_and_nothing_comes_from_elsewhere(tmp_path, parameters):
    text = run(tmp_path, **parameters)
    page = Page(text)
    assert tuple(page.sections) == SECTIONS
    assert all(link.startswith("data:image/png;base64,") for link in page.links) and len(page.links) == 1
    assert not re.search(r"https?://|//[a-z]|@import|url\(", text.replace("base64,//", ""), re.IGNORECASE) or "://" not in text
    assert "script" not in page.elements and "prefers-color-scheme:dark" in text
    assert "Showing 240 of 240 points" in text and "nan" not in re.sub(r"base64,[^\"]*", "", text).lower()
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["data"]["fingerprint"] in text and "ACC" in text
    assert ("iterations of the coding solver" in text) == (parameters.get("variant") in ("nuclear", "l1"))


def test_names_from_the_data_are_text(tmp_path):
    points, labels = make_union_of_subspaces(2, 1, 4, 40)
    path = tmp_path / "<b>bold&.csv"
    header = ['"<script>alert(1)</script>"', "b", "c", "d", "label"]
    rows = [",".join([*map(str, row), f"<i>{label}"]) for row, label in zip(points.tolist(), labels, strict=True)]
    path.write_text("\n".join([",".join(header), *rows]) + "\n")
    start(tmp_path / "run", path, {"n_clusters": 2, "hidden": [20]})
    text = (tmp_path / "run" / "report.html").read_text("utf-8")
    page = Page(text)
    assert not {"script", "b>", "i"} & set(page.elements) and "&lt;b&gt;bold&amp;.csv" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text and page.elements.count("b") == text.count('<div class="fact">')


def test_the_charts_escape_and_survive_the_smallest_data():
    one = np.zeros(1, int)
    drawings = [
        size_bars([1]),
        spectrum(np.array([1.0]), 1, HOSTILE),
        spectrum(np.array([1.0, 0.2, 0.1]), 1, HOSTILE),
        scattered(np.zeros((1, 2)), one, [HOSTILE, HOSTILE]),
        code_matrix(np.zeros((1, 1)), one, one),
        curves([0, 1], [(HOSTILE, [1.0, 0.1])], HOSTILE),
        stage_bars({HOSTILE: 1.0}),
        stage_bars({}),
    ]
    for drawing in drawings:
        assert "img" not in Page(drawing).elements
    assert curves([0, 1], [("residual", [0.0, float("nan")])], "x") == ""


def test_bars_are_as_long_as_the_numbers():
    heights = [float(h) for h in re.findall(r'<rect [^>]*height="([\d.]+)"', size_bars([10, 20, 40]))]
    assert heights[2] / heights[0] == pytest.approx(4, rel=0.01) and heights[1] / heights[0] == pytest.approx(2, rel=0.01)
    widths = [float(w) for w in re.findall(r'class="bar"[^>]*width="([\d.]+)"', stage_bars({"a": 1.0, "b": 3.0}))]
    assert widths[1] / widths[0] == pytest.approx(3, rel=0.01)


def test_seconds_count_all_sittings_of_a_run():
    events = [
        {"time": 0.0, "event": "Started"},
        {"time": 0.0, "event": "StageStarted", "stage": "coding"},
        {"time": 0.1, "event": "CodingIteration", "iteration": 1},
        {"time": 2.0, "event": "StageFinished", "stage": "coding", "seconds": 2.0},
        {"time": 2.0, "event": "StageStarted", "stage": "encoding"},
        {"time": 5.0, "event": "PointsDone", "stage": "encoding", "done": 10, "total": 20},
        {"time": 90.0, "event": "Resumed"},
        {"time": 90.0, "event": "StageStarted", "stage": "encoding"},
        {"time": 94.0, "event": "StageFinished", "stage": "encoding", "seconds": 4.0},
    ]
    assert stage_seconds(events) == {"coding": 2.0, "encoding": 7.0} and sessions(events) == 2
    twice = [{"time": 0, "event": "CodingIteration", "iteration": i} for i in (1, 2, 3, 1, 2)]
    assert [event["iteration"] for event in coding_history(twice)] == [1, 2]


def test_the_command_line_of_a_report_asks_for_the_same(tmp_path):
    """Read back by the command line's own parser."""
    import shlex

    from leasc_core.cli.main import make_parser
    from leasc_core.cli.parameters import method_parameters, preprocess_settings
    from leasc_core.cli.reading import reading_options

    config = {
        "parameters": {
            "random_state": 7,
            "n_clusters": 4,
            "hidden": [30, 20],
            "affinity": "codes",
            "unit_rows": False,
            "beta": 0.5,
        },
        "preprocess": {"missing": "mean", "standardise": True, "n_components": 5},
        "data": {"path": "/a folder/it's.csv", "options": {"label": False, "transpose": True, "separator": ";", "header": False}},
    }
    words = shlex.split(command_line(config))
    options = make_parser().parse_args(words[3:])
    assert method_parameters(options) == config["parameters"] and preprocess_settings(options) == config["preprocess"]
    assert reading_options(options) == config["data"]["options"] and options.data == config["data"]["path"]
    compile(python_lines(config), "report", "exec")
