"""The panels that say what the data are, explain points and clusters, and keep certain labels only; closed, they cost nothing."""

import base64
import io
import json
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from leasc_core.data.sources import open_source
from leasc_core.explain.margins import margins_and_rivals
from leasc_ui.data.recipes import load_recipe
from leasc_ui.export import files as exports
from leasc_ui.panels import diagnosis as diagnosis_view
from leasc_ui.panels.confidence import certain_csv
from leasc_ui.panels.explain_work import Explainer
from leasc_ui.results.confidence import STEPS, kept_by, steps_of
from leasc_ui.results.results import Results
from leasc_ui.session.pipeline import LoadedData
from tests.app.visits import visit

PATIENCE = 150
PLANES = {
    "kind": "synthetic",
    "parameters": {"n_subspaces": 3, "dim": 2, "ambient_dim": 12, "n_per_subspace": 60, "noise": 0.1, "random_state": 0},
}
CLOSED = ("explain", "certain", "diagnosis_after")


def page(name, data, **address):
    return visit(name, PATIENCE, data, **address)


def words(app):
    kinds = (app.markdown, app.caption, app.success, app.warning)
    return " ".join(element.value for kind in kinds for element in kind)


def tables(app):
    return [each.value for each in app.dataframe]


@pytest.fixture(scope="module")
def clustered(tmp_path_factory):
    """The Cluster page with three planes found, without labels, and all panels closed."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LEASC_RUNS", "LEASC_CACHE"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        app = page("pages/5_Cluster.py", replace(load_recipe(PLANES), labels=None), how="given", clusters="3")
        app.button(key="begin").click().run()
        deadline = time.monotonic() + PATIENCE
        while any(tile.label == "Time left" for tile in app.metric):
            assert time.monotonic() < deadline
            app.run()
        assert not app.exception
        yield app


@pytest.fixture
def cluster_page(clustered):
    for key in CLOSED:
        clustered.session_state[key] = False
    return clustered.run()


def opened(app, key):
    app.session_state[key] = True
    app.run()
    assert not app.exception
    return app


def drawn_map(app):
    """What the map is given to draw."""
    return next(json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.component_name == "leasc_map")


def results_of(app):
    pipeline = app.session_state["session"].pipeline
    return Results(pipeline.clusters.folder, pipeline.data)


def test_closed_panels_look_at_nothing(cluster_page, monkeypatch):
    monkeypatch.setattr(diagnosis_view, "_looked_at", lambda *arguments: pytest.fail("nobody asked"))
    assert not cluster_page.run().exception and "looked at" not in words(cluster_page)


def test_data_page_says_yes_of_subspaces_and_no_of_noise():
    app = opened(page("pages/2_Data.py", load_recipe(PLANES)), "diagnosis_before")
    assert app.success[0].value.startswith("**Yes") and "no labels were read" in words(app)
    noise = LoadedData("noise", {"kind": "synthetic"}, open_source(np.random.default_rng(0).standard_normal((300, 5))))
    app.session_state["session"].pipeline.data = noise
    app.run()
    assert not app.exception and "This method is not for this data" in app.warning[0].value


def test_too_few_rows_are_one_sentence():
    few = LoadedData("few", {"kind": "synthetic"}, open_source(np.random.default_rng(0).standard_normal((8, 3))))
    app = opened(page("pages/2_Data.py", few), "diagnosis_before")
    assert "too few to tell" in app.warning[0].value


def test_clusters_are_diagnosed_one_by_one(cluster_page):
    app = opened(cluster_page, "diagnosis_after")
    groups = next(table for table in tables(app) if "alike" in table)
    assert groups["dimension"].tolist() == [2, 2, 2] and app.success[0].value.startswith("**Yes")


def test_a_cluster_is_explained(cluster_page):
    app = opened(cluster_page, "explain")
    assert "2 dimensions that hold" in words(app)
    features = next(table for table in tables(app) if "elsewhere" in table)
    assert (features["here"] - features["elsewhere"]).is_monotonic_decreasing and len(features) == 8


def test_a_point_is_explained_by_its_own_cluster(cluster_page):
    app = opened(cluster_page, "explain")
    app.segmented_control(key="explain_what").set_value("A point").run()
    assert not app.exception and "of the weights that write it come from its own cluster" in words(app)
    helpers = next(table for table in tables(app) if "weight" in table)
    assert len(helpers) == 8 and helpers["share"].is_monotonic_decreasing
    app.segmented_control(key="explain_what").set_value("A cluster").run()


def test_the_threshold_keeps_fewer_the_higher_it_is(cluster_page):
    app = opened(cluster_page, "certain")
    app.slider(key="certain_from").set_value(0).run()
    assert "100.0 % of the labels are kept" in words(app)
    app.slider(key="certain_from").set_value(100).run()
    kept = next(table for table in tables(app) if "kept" in table)
    confidence, labels = results_of(app).all_confidence, np.asarray(results_of(app).labels)
    np.testing.assert_allclose(kept["kept"], [(confidence[labels == at] >= 1).mean() for at in range(3)])
    assert kept["kept"].min() < 1
    assert "Accuracy of the kept" not in {tile.label for tile in app.metric}, "there are no labels to score against"


def test_the_map_can_be_coloured_by_confidence(cluster_page):
    assert drawn_map(cluster_page)["names"] == ["cluster 1", "cluster 2", "cluster 3"]
    cluster_page.selectbox(key="cluster_colour").set_value("confidence").run()
    assert not cluster_page.exception
    drawn, results = drawn_map(cluster_page), results_of(cluster_page)
    assert drawn["names"] == list(STEPS) and "cluster 1" not in json.dumps(drawn)
    rows, steps = (
        np.frombuffer(base64.b64decode(drawn[name]), kind) for name, kind in (("rows", np.int32), ("labels", np.uint16))
    )
    assert np.array_equal(steps, steps_of(np.asarray(results.all_confidence)[rows])) and len(rows) == 180
    cluster_page.selectbox(key="cluster_colour").set_value("clusters").run()


def test_every_table_of_labels_says_how_sure_they_are(cluster_page):
    results = results_of(cluster_page)
    labels, names, confidence = np.asarray(results.labels), ["a", "b", "c"], results.all_confidence
    assert len(confidence) == 180 and ((confidence >= 0) & (confidence <= 1)).all()
    for table in (
        pd.read_csv(io.BytesIO(exports.labels_csv(labels, names, None, confidence))),
        pd.read_parquet(io.BytesIO(exports.labels_parquet(labels, names, confidence))),
    ):
        np.testing.assert_allclose(table["confidence"], confidence, atol=1e-4)
    threshold = float(np.median(confidence))
    certain = pd.read_csv(io.BytesIO(certain_csv(results, names, threshold)))
    assert len(certain) == np.count_nonzero(confidence >= threshold) and certain["confidence"].min() >= threshold - 1e-4


def test_confidence_of_the_drawn_is_that_of_all(cluster_page):
    results = results_of(cluster_page)
    np.testing.assert_allclose(results.confidence, results.all_confidence[results.rows], atol=1e-3)


def test_an_explainer_tells_where_a_row_lies(cluster_page):
    results = results_of(cluster_page)
    explainer = Explainer(results)
    margin, rival, near = explainer.place(17)
    margins, rivals = margins_and_rivals(results.embedded, results.model.model_.centres, results.drawn_labels)
    assert (margin, rival) == (pytest.approx(margins[17]), rivals[17]) and 17 not in near
    found, rows = explainer.cluster(1)
    assert (np.asarray(results.labels)[rows[found.exemplars]] == 1).all()


def test_labels_are_kept_from_a_threshold_of_confidence_on():
    assert steps_of(np.array([0.1, 0.5, 0.94, 0.95])).tolist() == [0, 1, 2, 3]
    mask, share, by_cluster = kept_by(np.array([0.9, 0.2, 0.8]), np.array([0, 0, 1]), 0.8, 3)
    assert mask.tolist() == [True, False, True] and share == pytest.approx(2 / 3) and by_cluster.tolist() == [0.5, 1.0, 0.0]
