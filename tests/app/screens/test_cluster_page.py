"""The Cluster page as Streamlit runs it: empty, with every sample set, stale, after an error, in line, and on a second visit."""

import time
from pathlib import Path

import numpy as np
import pytest

from leasc_core import LeaSC
from leasc_core.errors import RunError
from leasc_core.workbench.steps import Merge, Name, Noise, TakeOut
from leasc_ui.data.recipes import load_recipe
from leasc_ui.results import edits
from leasc_ui.results import results as cluster_results
from leasc_ui.results.edited import exported
from leasc_ui.screens.cluster import state as cluster_room
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.train.compute import train
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import RepresentativeSettings, TrainedModel
from tests.app.visits import pipeline, sound, visit, words

pytestmark = pytest.mark.slow

PAGE = "pages/5_Cluster.py"
PATIENCE = 150
PLANES = {
    "kind": "synthetic",
    "parameters": {"n_subspaces": 3, "dim": 2, "ambient_dim": 12, "n_per_subspace": 60, "noise": 0.01, "random_state": 0},
}


def page(data=None, secret=None, **address):
    return visit(PAGE, PATIENCE, data, secret=secret, **address)


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def clustered(app, key="begin"):
    """Press the button and look again, as the page's own clock would, until there is a result."""
    app.button(key=key).click().run()
    deadline = time.monotonic() + PATIENCE
    while sound(app) and "Time left" in tiles(app):
        assert time.monotonic() < deadline
        app.run()
    return app


def test_without_data_there_is_a_sentence_and_a_way_on():
    app = sound(page())
    assert "nothing to cluster yet" in words(app) and not app.metric


@pytest.mark.parametrize("name", ["four_lines", "moving_objects", "corrupted"])
def test_every_sample_set_in_one_click(name):
    app = clustered(sound(page(load_recipe({"kind": "sample", "name": name}), how="given", clusters="5")))
    found = pipeline(app).ready("clusters")
    assert found.made_from == pipeline(app).data.fingerprint and len(found.labels) == len(pipeline(app).data)
    assert tiles(app)["Clusters"] == "5" and tiles(app)["Accuracy"].endswith("%")
    assert "used for nothing else" in words(app) and "1 − d₁ / d₂" in words(app)


def test_the_page_gives_what_the_estimator_gives_and_says_what_it_did():
    data = load_recipe({"kind": "sample", "name": "corrupted"})
    app = clustered(sound(page(data, how="given", clusters="5")))
    model = LeaSC(5, random_state=0).fit(data.source)
    assert np.array_equal(pipeline(app).clusters.labels, model.labels_)
    table = next(each.value for each in app.dataframe if "agreement" in each.value.columns)
    assert len(table) == len(model.choice_.evidence) and (table[""] == "taken").sum() == 1
    assert model.choice_.kind.why in words(app)


def test_preparation_and_graph_can_be_given():
    app = clustered(sound(page(load_recipe(PLANES), how="given", clusters="3", preparation="standard", affinity="neighbours")))
    results = cluster_room.results_of(pipeline(app).clusters, pipeline(app).data)
    assert results.model.preparation_.name == "standard" and results.model.affinity_ == "neighbours"
    assert app.selectbox(key="cluster_preparation").value == "standard" and tiles(app)["Clusters"] == "3"


def with_own_model(**address):
    """The page of a visitor who has chosen representatives and trained f, and wants them used."""
    app = page(load_recipe(PLANES), how="given", clusters="3", **address)
    mine = app.session_state["session"]
    data, wanted = mine.pipeline.data, RepresentativeSettings("random", 40, 0)
    mine.pipeline.representatives = choose(data, wanted)
    rpcm = train(data, mine.pipeline.representatives, TrainSettings(), lambda event: None)
    mine.pipeline.model = TrainedModel(mine.pipeline.representatives.fingerprint, TrainSettings(), rpcm)
    app.run()
    app.toggle(key="cluster_mine").set_value(True).run()
    return app


def test_another_number_of_clusters_reuses_the_own_function_and_coming_back_is_free():
    app = clustered(with_own_model())
    model, first = pipeline(app).model, pipeline(app).clusters.folder
    assert pipeline(app).clusters.made_from == model.fingerprint
    app.number_input(key="cluster_clusters").set_value(2).run()
    assert "settings have changed since" in words(sound(app))
    clustered(app, "begin")
    assert pipeline(app).model is model and np.bincount(pipeline(app).clusters.labels).size == 2
    app.number_input(key="cluster_clusters").set_value(3).run()
    app.button(key="begin").click().run()
    assert sound(app) and pipeline(app).clusters.folder == first and tiles(app)["Clusters"] == "3"


def test_several_draws_are_clustered_as_one_and_the_address_says_so():
    app = clustered(sound(page(load_recipe(PLANES), how="given", clusters="3", draws="2")))
    found = pipeline(app).ready("clusters")
    assert found.settings.draws == 2 and tiles(app)["Accuracy"] == "100.0 %"
    assert app.number_input(key="cluster_draws").value == 2
    app.number_input(key="cluster_draws").set_value(1).run()
    assert "draws" not in app.query_params


def test_other_data_make_clusters_stale_and_they_are_found_again():
    app = clustered(page(load_recipe(PLANES)))
    pipeline(app).data = load_recipe({**PLANES, "parameters": {**PLANES["parameters"], "random_state": 1}})
    app.run()
    assert "have changed since" in words(sound(app)) and pipeline(app).status("clusters") == "stale"
    clustered(app)
    assert pipeline(app).status("clusters") == "ready"


def test_other_representatives_make_clusters_stale_too():
    app = clustered(with_own_model())
    pipeline(app).representatives = choose(pipeline(app).data, RepresentativeSettings("random", 30, 5))
    app.run()
    assert "have changed since" in words(sound(app)) and not app.metric


def test_what_cannot_be_done_is_one_sentence_and_a_way_on():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    app.number_input(key="cluster_clusters").set_value(170).run()
    app.button(key="begin").click().run()
    deadline = time.monotonic() + PATIENCE
    while "Time left" in tiles(app) and time.monotonic() < deadline:
        app.run()
    assert not app.exception and "representatives" in words(app) + " ".join(error.value for error in app.error)
    app.number_input(key="cluster_clusters").set_value(2).run()
    assert tiles(clustered(app, "begin"))["Clusters"] == "2"


def test_a_refusal_of_the_core_is_shown_as_its_sentence(monkeypatch):
    app = clustered(page(load_recipe(PLANES)))

    def refuse(*_):
        raise RunError("This run needs about 9.0 GB of memory and may use 1.0 GB: take fewer representatives.")

    monkeypatch.setattr(cluster_room, "whole_request", refuse)
    app.number_input(key="cluster_seed").set_value(4).run()
    app.button(key="begin").click().run()
    assert not app.exception and "needs about 9.0 GB" in app.error[0].value
    assert app.metric, "the result before stays"


def test_a_second_visit_finds_the_run_and_everything_it_was_made_from():
    secret = "0123456789abcdef" * 2
    app = clustered(page(load_recipe(PLANES), secret, how="given", clusters="3"))
    labels = np.asarray(pipeline(app).clusters.labels)
    again = sound(page(secret=secret))
    assert "finished" in words(again)
    next(button for button in again.button if button.label == "Open").click().run()
    sound(again)
    assert [pipeline(again).status(room) for room in ("data", "model", "clusters")] == ["ready", "missing", "ready"]
    assert np.array_equal(pipeline(again).clusters.labels, labels) and tiles(again)["Clusters"] == "3"
    assert again.number_input(key="cluster_clusters").value == 3
    stranger = sound(page(secret="f" * 32))
    assert not [button for button in stranger.button if button.label == "Open"]


def test_an_own_model_is_brought_back_with_its_run():
    secret = "fedcba9876543210" * 2
    app = clustered(with_own_model(secret=secret))
    again = sound(page(secret=secret))
    next(button for button in again.button if button.label == "Open").click().run()
    assert [pipeline(again).status(room) for room in ("data", "representatives", "model", "clusters")] == ["ready"] * 4
    assert np.array_equal(pipeline(again).clusters.labels, pipeline(app).clusters.labels)
    again.switch_page("pages/4_Train.py").run()
    assert sound(again) and "The model as it is" in words(again), "what was brought back can be looked at"


def test_clusters_are_merged_named_and_taken_out_and_every_edit_is_undone():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    folder, labels = pipeline(app).clusters.folder, np.asarray(pipeline(app).clusters.labels)
    results = cluster_room.results_of(pipeline(app).clusters, pipeline(app).data)
    assert edits.do(results, Merge((0, 2)), Name(1, "planes"), TakeOut("0-4", 3), Noise("5"))
    app.run()
    edited = cluster_room.results_of(pipeline(app).clusters, pipeline(app).data)
    assert sound(app) and tiles(app)["Clusters"] == "3" and "Edits, 4" in [each.label for each in app.expander]
    assert edited.names == ["cluster 1", "planes", "cluster 4", "noise"] and exported(edited)[5] == -1
    for left in (3, 2, 1, 0):
        app.button(key="edit_undo").click().run()
        assert sound(app) and len(edits.history_of(folder).steps) == left
    assert np.array_equal(cluster_room.results_of(pipeline(app).clusters, pipeline(app).data).labels, labels)
    app.button(key="edit_redo").click().run()
    assert tiles(app)["Clusters"] == "2"


def test_two_clusters_of_one_name_are_refused_in_a_sentence():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    results = cluster_room.results_of(pipeline(app).clusters, pipeline(app).data)
    assert edits.namesake(results, 0, "Cluster 2") == 1
    assert not edits.do(results, Name(0, "cluster 2"))
    assert edits.do(results, Name(0, "other")) and not edits.history_of(results.folder).undone


def test_a_selection_shows_its_points_and_can_be_cleared():
    app = clustered(page(load_recipe({"kind": "sample", "name": "digits"}), how="given", clusters="5"))
    assert "Drag a box or a lasso over points" in words(app)
    app.button(key="select_Typical").click().run()
    assert sound(app) and "**8 points**: 8 of cluster 1" in words(app)
    assert "Their codes" in words(app) and "Their representatives" in words(app) and "Their pictures" in words(app)
    app.button(key="clear_selection").click().run()
    assert sound(app) and "Drag a box or a lasso over points" in words(app)


def test_of_many_points_a_part_is_drawn_and_the_page_says_which(monkeypatch):
    monkeypatch.setattr(cluster_results, "MOST_DRAWN", 90)
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    assert "Showing 90 of 180 points, each cluster by its share" in words(app)
    app.button_group(key="cluster_space").set_value("3-D").run()
    assert sound(app) and "Drag to turn" in words(app)
    app.button_group(key="cluster_view").set_value("pca").run()
    assert sound(app) and "PCA knows nothing of the clusters" in words(app)


def test_umap_is_made_behind_the_page_when_asked_for():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    results = cluster_room.results_of(pipeline(app).clusters, pipeline(app).data)
    app.button_group(key="cluster_view").set_value("umap").run(timeout=120)
    assert sound(app) and results.places("umap").places.shape == (180, 2)
    assert sound(app.run()) and "distances between islands" in words(app)


def test_deleting_a_run_takes_its_clusters_along():
    app = clustered(page(load_recipe(PLANES)))
    folder = Path(pipeline(app).clusters.folder)
    next(button for button in app.button if button.label == "Delete").click().run()
    assert sound(app) and not folder.exists() and pipeline(app).clusters is None and not app.metric
