"""The Compare page as Streamlit runs it: empty, on sample sets, without labels, refusing, stale, cancelled, after an error."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from leasc_core.bench.request import resume
from leasc_core.errors import RunError
from leasc_ui.data.choices import SAMPLES
from leasc_ui.data.recipes import load_recipe
from leasc_ui.screens.compare import state as compare_room
from leasc_ui.screens.compare.runs import progress_of
from leasc_ui.session.external import ExternalLabels
from leasc_ui.work import core
from leasc_ui.work import runs as full_runs
from leasc_ui.work.queue import LINE
from tests.app.visits import pipeline, sound, visit

pytestmark = pytest.mark.slow

PAGE = "pages/8_Compare.py"
PATIENCE = 180
PLANES = {
    "kind": "synthetic",
    "parameters": {"n_subspaces": 3, "dim": 2, "ambient_dim": 12, "n_per_subspace": 40, "noise": 0.01, "random_state": 0},
}
CELLS = {"view": "sweep", "down_values": "0.1, 1", "across_values": "1, 10", "draws": "1"}


class InTheServer:
    """A worker in a thread of this process, which has its libraries awake; it may be held back after its first row."""

    hold = None

    def __init__(self, folder):
        self.unwanted = threading.Event()
        self.thread = threading.Thread(target=resume, args=(folder, self.on_row), daemon=True)
        self.thread.start()

    def on_row(self, row):
        if self.hold is not None:
            self.hold.wait(PATIENCE)
        return self.unwanted.is_set()

    def alive(self):
        return self.thread.is_alive()

    def stop(self):
        self.unwanted.set()
        if self.hold is not None:
            self.hold.set()


@pytest.fixture(scope="module", autouse=True)
def libraries_awake():
    """So that no test waits for them while it looks at a clock."""
    core.load()


@pytest.fixture(autouse=True)
def workers_in_the_server(monkeypatch):
    monkeypatch.setattr(LINE, "_make", InTheServer)


@pytest.fixture
def held(monkeypatch):
    """Workers wait after their first row until this is set."""
    monkeypatch.setattr(InTheServer, "hold", threading.Event())
    yield InTheServer.hold
    InTheServer.hold.set()


def planes(**changes):
    return load_recipe({**PLANES, "parameters": {**PLANES["parameters"], **changes}})


def page(points=None, secret=None, **address):
    return visit(PAGE, PATIENCE, points, secret=secret, **address)


def words(app):
    kinds = (app.markdown, app.caption, app.subheader, app.warning)
    return " ".join(element.value for kind in kinds for element in kind)


def over(app):
    """Look again, as the page's own clock would, until nothing runs."""
    deadline = time.monotonic() + PATIENCE
    while "compare_stop" in {button.key for button in sound(app).button}:
        assert time.monotonic() < deadline
        app.run()
    return app


def begun(app):
    app.button(key="compare_begin").click().run()
    return app


def table(app):
    return next(frame.value for frame in app.dataframe if "against the best" in frame.value).set_index("method")


def test_without_data_a_sample_set_is_offered_with_a_fast_method_of_each_family():
    app = sound(page())
    assert app.selectbox(key="compare_data").value == "four_lines"
    assert app.button(key="compare_begin").label == "Compare 7 methods"
    plan = app.dataframe[0].value
    assert list(plan["method"]) == ["LeaSC, all by itself", "LeaSC, RPCM-F²", "latLRR", "LSR", "SLSR", "LbSC-K", "K-means"]
    assert "up to 8,000" in set(plan["finishes"]) and "m²d" in " ".join(plan["cost, m points of d features"])
    assert app.number_input(key="compare_representatives").value == 88


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_set_is_compared(name):
    app = over(begun(page(data=name, methods="kmeans", seeds="1")))
    found = table(sound(app))
    assert found["ACC %"].between(0, 100).all() and (found["seconds"] > 0).all()
    assert "no method has seen them" in words(app) and "nothing can be said of chance" in words(app)


def test_the_best_is_marked_and_what_seeds_tell_is_said():
    app = over(begun(page(planes(), methods="kmeans.lsr.leasc_f2", seeds="3")))
    found = table(app)
    assert found.loc["LSR", "ACC %"] == 100 and found.index[-1] == "K-means"
    assert found.iloc[0][""] == "★" and found.iloc[1][""] == "≈" and found.iloc[1]["against the best"] == "the same on every seed"
    assert found.loc["K-means", "against the best"].startswith("worse") and found.loc["K-means", ""] == ""
    assert "Paired t-tests over 3 seeds" in words(app)
    assert "120 rows** for 120 points" in words(app) and "32 rows** for 120 points" in words(app)


def test_without_labels_the_scores_are_label_free_and_said_to_be():
    from dataclasses import replace

    data = replace(planes(), labels=None, label_names=None)
    app = page(data, methods="kmeans.lsr", seeds="2", clusters="3")
    over(begun(sound(app)))
    found = table(app)
    assert "ACC %" not in found and found.index[0] == "LSR" and found.loc["LSR", "stability %"] == 100
    assert found.loc["LSR", "residual %"] < found.loc["K-means", "residual %"] and "these scores are label-free" in words(app)
    assert "compare_codes_1" not in {box.key for box in app.selectbox}, "codes of one method are not shown twice"


def test_a_size_that_a_method_refuses_is_said_before_and_in_its_line(monkeypatch):
    from dataclasses import replace

    from leasc_core import baselines

    small = replace(baselines.get("lsr"), largest=50)
    known = baselines.registry() | {"lsr": small}
    monkeypatch.setattr(baselines, "registry", lambda: known)
    app = sound(page(planes(), methods="lsr.kmeans", seeds="1"))
    assert "LSR can do 50" in app.warning[0].value and "refuses: up to 50" in set(app.dataframe[0].value["finishes"])
    usual = page(planes()).session_state
    chosen = [method for number in range(len(baselines.FAMILIES)) for method in usual[f"compare_pills_{number}"]]
    assert len(chosen) > 3 and "lsr" not in chosen, "it is not among the usual ones"
    found = table(over(begun(app)))
    assert "cannot finish 120 points" in found.loc["LSR", "against the best"] and np.isnan(found.loc["LSR", "ACC %"])


def test_rows_of_other_data_are_said_to_be_and_settings_follow_the_data():
    app = over(begun(page(planes(), methods="kmeans", seeds="1")))
    pipeline(app).data = planes(n_subspaces=5, random_state=1)
    app.run()
    assert "not of the data chosen now" in words(sound(app)) and app.number_input(key="compare_clusters").value == 5
    assert "not of the data chosen now" not in words(over(begun(app)))


def test_rows_appear_while_it_goes_on_and_it_can_be_cancelled_and_resumed(held):
    app = begun(page(planes(), methods="kmeans.cosine_kmeans", seeds="2"))
    folder = app.session_state["compare_state"].table
    deadline = time.monotonic() + PATIENCE
    while not progress_of(folder).done:
        assert time.monotonic() < deadline
    app.run()
    assert table(app).loc["K-means", "seeds"] == 1 and np.isnan(table(app).loc["Cosine K-means", "ACC %"])
    assert app.button(key="compare_begin").disabled
    (Path(folder) / full_runs.STOPPED).touch()
    assert progress_of(folder).now == "Stopping after Cosine K-means, seed 0"
    app.button(key="compare_stop").click().run()
    over(app)
    assert "Cancelled" in words(app) and progress_of(folder).done == 1
    app.button(key="compare_resume").click().run()
    assert list(table(over(app))["seeds"]) == [2, 2] and "Cancelled" not in words(app)


def test_a_second_visit_finds_it_and_more_seeds_take_over_what_is_there():
    secret = "0123456789abcdef" * 2
    app = over(begun(page(planes(), secret, methods="kmeans", seeds="2")))
    first = Path(app.session_state["compare_state"].table)
    again = sound(page(planes(), secret, methods="kmeans", seeds="3"))
    assert table(again).loc["K-means", "seeds"] == 2 and again.session_state["compare_state"].table == str(first)
    over(begun(again))
    rows = [progress_of(folder).rows for folder in (first, again.session_state["compare_state"].table)]
    assert rows[1][:2] == rows[0] and len(rows[1]) == 3, "the first two were not computed again"
    stranger = sound(page(planes(), "f" * 32))
    assert stranger.session_state["compare_state"].table is None


def test_what_cannot_begin_or_breaks_is_one_sentence(monkeypatch):
    def refuse(*_):
        raise RunError("The disk is full; free some space.")

    app = page(planes(), methods="kmeans", seeds="1")
    monkeypatch.setattr(compare_room, "begin_table", refuse)
    begun(app)
    assert not app.exception and [error.value for error in app.error] == ["The disk is full; free some space."]
    monkeypatch.undo()
    assert full_runs.LINE is LINE


def test_a_broken_run_says_what_happened_and_goes_on(monkeypatch):
    class Dies(InTheServer):
        def __init__(self, folder):
            (folder / "worker.log").write_text("The memory ran out; take fewer points.")
            self.thread = threading.Thread(target=lambda: None)
            self.thread.start()

    monkeypatch.setattr(LINE, "_make", Dies)
    app = over(begun(page(planes(), methods="kmeans", seeds="1")))
    assert "Interrupted" in words(app) and "The memory ran out" in words(app)
    monkeypatch.setattr(LINE, "_make", InTheServer)
    app.button(key="compare_resume").click().run()
    assert table(over(app)).loc["K-means", "seeds"] == 1


def test_labels_of_a_baseline_are_shown_in_cluster_under_its_name():
    app = over(begun(page(planes(), methods="kmeans", seeds="1")))
    room, row = app.session_state["compare_state"], progress_of(app.session_state["compare_state"].table).rows[0]
    data = pipeline(app).data
    labels = str(Path(room.table) / row["labels_file"])
    app.session_state["cluster_external"] = ExternalLabels("K-means", 0, labels, data.recipe, data.name, 3, 1.0)
    app.switch_page("pages/5_Cluster.py").run()
    assert "Labels of K-means" in words(sound(app)) and "not from your own function" in words(app)
    tiles = {tile.label: tile.value for tile in app.metric}
    assert tiles["Clusters"] == "3" and float(tiles["Accuracy"].removesuffix(" %")) == pytest.approx(100 * row["acc"], abs=0.05)
    assert pipeline(app).clusters is None, "the pipeline is as it was"
    app.button(key="external_leave").click().run()
    assert "Labels of K-means" not in words(sound(app))


def test_a_link_restores_the_view():
    app = sound(page(planes(), **CELLS))
    assert app.button(key="compare_begin").label == "Sweep 4 cells" and app.segmented_control(key="compare_view").value == "sweep"
    app.segmented_control(key="compare_view").set_value("methods").run()
    assert "view" not in app.query_params and app.button(key="compare_begin").label == "Compare 7 methods"


def test_a_sweep_and_its_colours_with_labels_say_oracle():
    app = over(begun(page(planes(), **CELLS)))
    assert "**oracle** choice" in words(app) and "The oracle’s cell" in words(app)
    app.segmented_control(key="compare_colour").set_value("code_error").run()
    assert "needs no labels" in words(sound(app)) and "oracle" not in words(app) and "The cell it chooses" in words(app)


def test_a_sweep_over_one_parameter_without_labels():
    from dataclasses import replace

    data = replace(planes(), labels=None, label_names=None)
    app = page(data, view="sweep", down="nothing", across="n_representatives", across_values="20, 40", draws="2", variant="f2")
    over(begun(sound(app)))
    assert "ACC" not in app.segmented_control(key="compare_colour").options and "oracle" not in words(app)


@pytest.mark.parametrize(("values", "said"), [("a, b", "'a' is no value"), ("7", "'7' is no value"), ("", "has 0 values")])
def test_values_that_are_none_are_one_sentence(values, said):
    app = page(planes(), **{**CELLS, "across_values": values} if values else CELLS)
    if not values:
        app.text_input(key="compare_across_values").set_value(" ").run()
    assert not app.exception and said in app.error[0].value and app.button(key="compare_begin").disabled


def test_one_parameter_on_both_axes_is_refused():
    app = page(planes(), **{**CELLS, "down": "beta"})
    assert "stands on both axes" in app.error[0].value


def test_what_a_cell_loads_is_in_the_other_pages_settings_and_undo_returns():
    app = over(begun(page(planes(), **CELLS)))
    room, mine = app.session_state["compare_state"], app.session_state["session"]
    row = progress_of(room.sweep).rows[3]
    before = {name: app.session_state[f"{name}_form"].settings for name in ("train", "representatives")}
    app.session_state["load_next"] = (row["parameters"], "α = 1, β = 10", mine.pipeline.data.fingerprint)
    loaded(app)
    train = app.session_state["train_form"].settings
    assert (train.variant, train.alpha, train.beta) == ("elastic_net", 1.0, 10.0) and "Loaded: α = 1, β = 10" in words(sound(app))
    assert len(pipeline(app).ready("representatives").indices) == row["parameters"]["n_representatives"], "drawn at once"
    app.button(key="compare_unload").click().run()
    assert {name: app.session_state[f"{name}_form"].settings for name in before} == before and "Loaded:" not in words(sound(app))
    assert pipeline(app).representatives is None


def loaded(app):
    """What a click on a cell does: AppTest has no hand to click a chart with, so the page is asked to do it."""
    from leasc_ui.screens.compare import board as compare_board

    original = compare_board.find_earlier

    def first(visitor):
        import streamlit as st

        from leasc_ui.screens.compare.loading import load
        from leasc_ui.session.state import current_session

        original(visitor)
        wanted = st.session_state.pop("load_next", None)
        if wanted is not None:
            load(current_session(), *wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare_board, "find_earlier", first)
        app.run()
