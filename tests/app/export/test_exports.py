"""What is taken away: tables that other programs read back, a report, figures, and a script that gives the same labels."""

import io
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from leasc_core import LeaSC
from leasc_core.runs.folder import RunFolder
from leasc_ui.charts.cluster.confusion import confusion_chart
from leasc_ui.charts.cluster.map import other_map_chart
from leasc_ui.charts.cluster.rate import rate_chart
from leasc_ui.charts.cluster.sizes import sizes_chart
from leasc_ui.charts.cluster.spectrum import gap_chart
from leasc_ui.data.recipes import load_recipe
from leasc_ui.export import files as exports
from leasc_ui.export.figures import figures_zip
from leasc_ui.export.script import notebook, script
from leasc_ui.results.asked import ClusterSettings, Request, request_of
from leasc_ui.results.results import Results, confusion, stratified
from leasc_ui.screens.cluster.request import clusters_of, request
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.train.compute import train
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import Pipeline, RepresentativeSettings, TrainedModel
from leasc_ui.session.state import Session
from leasc_ui.work.runs import start, status_of
from tests.app.charts.test_charts import titles
from tests.app.visits import words
from tests.app.work.test_full_runs import PLANES, SMALL, until

ROOT = Path(__file__).parents[3]
USUAL = {
    "missing": "error",
    "drop_constant": False,
    "standardise": False,
    "n_components": None,
    "variance": None,
    "unit_rows": True,
}
RECIPES = {
    "made": PLANES,
    "rays": {"kind": "synthetic", "parameters": {"preset": "four_lines", "noise": 0.5, "random_state": 3}},
    "sample": {"kind": "sample", "name": "digits", "preprocess": USUAL},
    "dropped": {
        **PLANES,
        "parameters": {**PLANES["parameters"], "missing_fraction": 0.01},
        "preprocess": {**USUAL, "missing": "drop"},
    },
    "pictures": {"kind": "sample", "name": "digits", "preprocess": {**USUAL, "scattering": True, "n_components": 20}},
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """``finished(recipe)``: the folder and the pipeline of a run on it; each is done once."""
    home = tmp_path_factory.mktemp("exports")
    before = {name: os.environ.get(name) for name in ("LEASC_RUNS", "LEASC_CACHE")}
    os.environ.update(LEASC_RUNS=str(home / "runs"), LEASC_CACHE=str(home / "cache"))
    known = {}

    def do(name, recipe=None, settings=SMALL, selector="random", draws=1):
        if name not in known:
            data = load_recipe(recipe or RECIPES[name])
            chosen = choose(data, RepresentativeSettings(selector, 40, 2))
            model = TrainedModel(chosen.fingerprint, settings, train(data, chosen, settings, lambda event: None))
            folder, _ = request("me", data, chosen, model, ClusterSettings(3, 7, draws=draws, mine=True))
            start(folder, small=True)
            until(lambda: not status_of(folder).active)
            known[name] = folder, Pipeline(data, chosen, model, clusters_of(folder))
        return known[name]

    yield do
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})


def execute(folders):
    """Run ``again.py`` in each of the folders, by one fresh interpreter."""
    program = "import os, runpy, sys\nfor folder in sys.argv[1:]:\n    os.chdir(folder)\n    runpy.run_path('again.py')"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program, *map(str, folders)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_labels_csv_is_read_back_and_no_name_becomes_a_formula(finished):
    labels = np.array([0, 2, 1, 0])
    names = ["=cmd()", "plain, with comma", "-3.5"]
    text = exports.labels_csv(labels, names).decode()
    table = pd.read_csv(io.StringIO(text))
    assert table["row"].tolist() == [0, 1, 2, 3] and table["label"].tolist() == labels.tolist()
    assert table["name"].tolist() == ["'=cmd()", "-3.5", "plain, with comma", "'=cmd()"], "a number stays a number"
    some = pd.read_csv(io.BytesIO(exports.labels_csv(labels, names, np.array([3, 1]))))
    assert some["row"].tolist() == [3, 1] and some["label"].tolist() == [0, 2]


def test_labels_parquet_is_read_back():
    table = pd.read_parquet(io.BytesIO(exports.labels_parquet(np.array([1, 0]), ["=a", "b"])))
    assert table["name"].tolist() == ["b", "=a"] and table["label"].tolist() == [1, 0] and table["row"].tolist() == [0, 1]


def test_codes_and_model_are_those_of_the_run(finished, tmp_path):
    folder, pipeline = finished("sample")
    results = Results(folder, pipeline.data)
    codes = np.load(io.BytesIO(exports.codes_npy(results)), allow_pickle=False)
    assert codes.shape == (1797, 40) and codes.nbytes == exports.code_bytes(results)
    assert np.allclose(codes, pipeline.model.rpcm.transform(_unit(pipeline.data.points.rows(0, 1797))), atol=1e-4)
    bundle = tmp_path / "digits.leasc"
    bundle.write_bytes(exports.model_bytes(folder))
    assert np.array_equal(LeaSC.load(bundle).predict(pipeline.data.source.rows(0, 1797)), pipeline.clusters.labels)


def _unit(points):
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@pytest.mark.slow
def test_the_scripts_give_the_same_labels(finished, tmp_path):
    runs = {name: finished(name) for name in RECIPES} | {"file": uploaded(finished, tmp_path)}
    for name, (folder, pipeline) in runs.items():
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "sample_data").symlink_to(ROOT / "sample_data")
        (tmp_path / name / "again.py").write_text(script(request_of(folder), pipeline.data), encoding="utf-8")
    assert "secret place" not in (tmp_path / "file" / "again.py").read_text("utf-8"), "a server's folders are its own business"
    (tmp_path / "file" / "four lines.csv").write_bytes((ROOT / "sample_data" / "four_lines.csv").read_bytes())
    execute([tmp_path / name for name in runs])
    for name, (_, pipeline) in runs.items():
        labels = np.load(tmp_path / name / "labels.npy", allow_pickle=False)
        assert np.array_equal(labels, pipeline.clusters.labels), name


def uploaded(finished, tmp_path):
    """A run on a file, with every setting of training changed, as an ensemble."""
    table = tmp_path / "secret place" / "four lines.csv"
    table.parent.mkdir()
    table.write_bytes((ROOT / "sample_data" / "four_lines.csv").read_bytes())
    recipe = {"kind": "file", "path": str(table), "options": {"label": False}}
    return finished("file", recipe, TrainSettings("l1", beta=20.0, hidden=30, activation="tanh", seed=4), "kmeans", draws=2)


def test_every_setting_of_train_that_rpcm_knows_stands_in_the_script():
    """Also one that was not there when the script was written: what Train asks for is what is passed on."""
    recipe, chosen = RECIPES["made"], {"selector": "random", "count": 40, "seed": 0}
    train = asdict(TrainSettings("l1", beta=20.0)) | {"learning_rate": 0.02}
    asked = Request("made", recipe, "", chosen, train, asdict(ClusterSettings(3, mine=True, draws=2)))
    text = script(asked, load_recipe(recipe))
    assert text.count("learning_rate=0.02") == 2 and text.count("beta=20.0") == 2, "of RPCM, and of the other draws"


def test_the_notebook_holds_the_same_code(finished):
    folder, pipeline = finished("sample")
    asked = request_of(folder)
    book = json.loads(notebook(asked, pipeline.data))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    code = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    assert all(part in script(asked, pipeline.data) for part in code)
    compile("\n".join(code), "notebook", "exec")


def test_a_strange_name_cannot_break_out_of_the_script(finished):
    folder, pipeline = finished("made")
    from dataclasses import replace

    asked = replace(request_of(folder), name='x"""\nimport os; os.abort()\n"""')
    text = script(asked, pipeline.data)
    assert "\nimport os" not in text
    compile(text, "script", "exec")


def test_the_report_has_no_path_of_the_server_and_the_script_that_was_tested(finished):
    folder, pipeline = finished("made")
    page = exports.report_html(folder, request_of(folder), pipeline.data).decode()
    assert str(folder) not in page and str(Path(os.environ["LEASC_RUNS"])) not in page
    assert "fit(data, start=(chosen, rpcm))" in page and "leasc_core cluster" not in page
    assert "<svg" in page and "http://" not in page.replace("http://www.w3.org", "")


def test_figures_need_nothing_else(finished):
    folder, pipeline = finished("sample")
    results = Results(folder, pipeline.data)
    with zipfile.ZipFile(
        io.BytesIO(figures_zip(results, ["a", "<b>", "c"], pipeline.data.labels, [str(n) for n in range(10)]))
    ) as box:
        names = box.namelist()
        page = box.read("figures.html").decode()
        drawings = [ElementTree.fromstring(box.read(name)) for name in names if name.endswith(".svg")]
    assert "<h2>Spectral, in the plane</h2>" in page and "<h2>Against the known classes</h2>" in page
    assert 'src="http' not in page
    assert {"sizes.svg", "spectrum.svg"} <= set(names) and all(each.tag.endswith("svg") for each in drawings)


def test_stratified_takes_of_every_cluster_its_share():
    labels = np.repeat([0, 1, 2], [9000, 900, 100])
    taken = stratified(labels, 1000)
    assert len(np.unique(taken)) == 1000 and np.all(np.diff(taken) > 0)
    assert np.abs(np.bincount(labels[taken]) - [900, 90, 10]).max() <= 1
    assert stratified(labels, 10_000).tolist() == list(range(10_000))


def test_margins_are_those_of_the_definition(finished):
    folder, pipeline = finished("made")
    results = Results(folder, pipeline.data)
    centres, embedded = results.model.model_.centres, results.embedded
    for at in (0, 70, 179):
        distances = sorted(np.linalg.norm(embedded[at] - centre) for centre in centres)
        assert results.margins[at] == pytest.approx(1 - distances[0] / distances[1], abs=1e-4)
    typical, doubtful = results.members(1)
    assert set(results.drawn_labels[typical]) == set(results.drawn_labels[doubtful]) == {1}
    assert results.margins[typical].min() >= results.margins[doubtful].max()


def test_helpers_are_the_representatives_with_the_largest_codes(finished):
    folder, pipeline = finished("made")
    results = Results(folder, pipeline.data)
    rows = np.array([3, 4, 5])
    order, shares = results.helpers(rows)
    strength = np.abs(results.codes(rows)).sum(axis=0)
    assert strength[order[0]] == strength.max() and shares[0] == pytest.approx(strength.max() / strength.sum())


def test_confusion_counts_and_puts_the_best_match_on_the_diagonal():
    truth, found = np.array([0, 0, 0, 1, 1, 2]), np.array([2, 2, 1, 0, 0, 1])
    table, order = confusion(truth, found)
    assert table.tolist() == [[0, 1, 2], [2, 0, 0], [0, 1, 0]]
    assert np.trace(table[:, order]) == 5


CHARTS = {
    "sizes": sizes_chart([5, 3], ["a", "b"]),
    "spectrum": gap_chart(np.array([1, 0.9, 0.5, 0.4]), 2),
    "other": other_map_chart(np.eye(3, dtype=np.float32), np.array([True, False, False]), ("x", "y"), "dark"),
    "confusion": confusion_chart(np.eye(2, dtype=int), np.array([1, 0]), ["p", "q"], ["a", "b"]),
    "rate": rate_chart(((1.0, 500.0), (2.0, 700.0))),
}


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_has_axis_titles_a_tooltip_and_words(name):
    chart = CHARTS[name]
    assert titles(chart.spec) and "tooltip" in str(chart.spec) and chart.alt.endswith(".") and len(chart.data)


def new_data_page(pipeline=None):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.session_state["session"] = Session(pipeline or Pipeline())
    return app.switch_page("pages/6_Label_new_data.py").run()


def csv_of(points):
    return pd.DataFrame(points).to_csv(index=False).encode()


def test_new_points_are_labelled_by_the_current_model(finished):
    folder, pipeline = finished("made")
    app = new_data_page(pipeline)
    assert not app.exception and "The one from Cluster" in str(app.button_group[0])
    app.file_uploader(key="new_points").set_value(("new.csv", csv_of(pipeline.data.source.rows(10, 40)), "text/csv")).run()
    assert not app.exception and not app.error and "30 points labelled" in words(app)
    assert app.dataframe[0].value["label"].tolist() == pipeline.clusters.labels[10:40].tolist()


def test_new_points_are_labelled_by_an_uploaded_model(finished):
    folder, pipeline = finished("made")
    app = new_data_page()
    app.file_uploader(key="new_model").set_value(("planes.leasc", RunFolder(folder).model_file.read_bytes(), ""))
    app.file_uploader(key="new_points").set_value(("new.csv", csv_of(pipeline.data.source.rows(100, 120)), "text/csv")).run()
    assert not app.exception and not app.error
    assert app.dataframe[0].value["label"].tolist() == pipeline.clusters.labels[100:120].tolist()


def with_names(points):
    frame = pd.DataFrame(points).add_prefix("feature ")
    return frame.assign(who=[f"no {row}" for row in frame.index], where="here").to_csv(index=False).encode()


def on_its_side(points):
    buffer = io.BytesIO()
    np.save(buffer, points.T)
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "write"), [("names.csv", with_names), ("side.npy", on_its_side)])
def test_new_points_are_read_so_that_they_fit_the_model(finished, name, write):
    """Columns of text beside the features, and points in columns, as the data of the model may have been too."""
    _, pipeline = finished("made")
    app = new_data_page(pipeline)
    app.file_uploader(key="new_points").set_value((name, write(pipeline.data.source.rows(10, 40)), "")).run()
    assert not app.exception and not app.error and "30 points labelled" in words(app)
    assert app.dataframe[0].value["label"].tolist() == pipeline.clusters.labels[10:40].tolist()


def test_clusters_of_other_data_are_said_to_be(finished):
    _, pipeline = finished("made")
    other = Pipeline(
        load_recipe({"kind": "sample", "name": "four_lines"}), pipeline.representatives, pipeline.model, pipeline.clusters
    )
    assert "belong to data or a model that have changed" in words(new_data_page(other))


@pytest.mark.parametrize(
    ("model", "points", "said"),
    [
        (b"no bundle", np.ones((3, 12)), "bundle"),
        (None, np.ones((3, 5)), "12 features"),
        (None, None, "bad.csv"),
    ],
    ids=["a broken model", "too few features", "a broken file"],
)
def test_what_does_not_fit_is_one_sentence(finished, model, points, said):
    folder, _ = finished("made")
    app = new_data_page()
    app.file_uploader(key="new_model").set_value(("planes.leasc", model or RunFolder(folder).model_file.read_bytes(), ""))
    body = b"\x00\xff\x00" if points is None else csv_of(points * np.arange(1.5, 4)[:, None])
    app.file_uploader(key="new_points").set_value(("bad.csv", body, "text/csv")).run()
    assert not app.exception and len(app.error) == 1 and said in app.error[0].value
    assert str(os.environ["LEASC_CACHE"]) not in app.error[0].value


def test_rows_come_back_with_their_columns_and_clusters_from_one(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("customer;town;weight;age\n7001;Łódź;1,5;30\n7002;Köln;2,5;41\n7003;=1+1;9,0;12\n7004;Köln;8,0;15\n", "utf-8")
    data = load_recipe({"kind": "file", "path": str(path), "options": {}})
    text = exports.joined_table(data.source, np.array([1, 1, 0, -1]), ["a", "b"], np.array([1, 0.5, 0.25, 0]))
    table = pd.read_csv(io.BytesIO(text))
    assert table["customer"].tolist() == [7001, 7002, 7003, 7004] and table["weight"].tolist() == [1.5, 2.5, 9.0, 8.0]
    assert table["cluster"].tolist() == [2, 2, 1, -1] and table["cluster name"].tolist() == ["b", "b", "a", "noise"]
    assert "=1+1" not in table["town"].tolist(), "no cell is taken for a formula"


def test_the_script_of_a_whole_run_is_leasc_alone_on_one_screen():
    data = load_recipe(PLANES)
    asked = Request(data.name, data.recipe, data.fingerprint, {}, {}, asdict(ClusterSettings(3, seed=1)))
    text = script(asked, data)
    assert "LeaSC(n_clusters=3, random_state=1).fit(data)" in text and "RPCM" not in text and len(text.splitlines()) <= 40
    place = {}
    exec(compile(text.split("# What is kept")[0], "script", "exec"), place)  # noqa: S102
    assert np.array_equal(place["model"].labels_, LeaSC(3, random_state=1).fit(data.source).labels_)
