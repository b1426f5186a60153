"""The Cluster page as Streamlit runs it: empty, with every sample set, stale, after an error, in line, and on a second visit."""

import time
from pathlib import Path

import numpy as np
import pytest

from leasc_core.errors import RunError
from leasc_ui import cluster_results, cluster_room
from leasc_ui.data_choices import SAMPLES
from leasc_ui.data_recipes import load_recipe
from leasc_ui.pipeline import RepresentativeSettings
from leasc_ui.representatives_work import choose
from tests.app.visits import pipeline, sound, visit

pytestmark = pytest.mark.slow

PAGE = "pages/5_Cluster.py"
PATIENCE = 60
PLANES = {"kind": "synthetic", "parameters": {"n_subspaces": 3, "dim": 2, "ambient_dim": 12, "n_per_subspace": 60, "noise": 0.01,
                                              "random_state": 0}}  # fmt: skip


def page(data=None, secret=None, **address):
    return visit(PAGE, PATIENCE, data, secret=secret, **address)


def words(app):
    kinds = (app.markdown, app.caption, app.subheader, app.info, app.title)
    return " ".join(element.value for kind in kinds for element in kind)


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def clustered(app, key="take_all"):
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


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_set_in_one_click(name):
    app = clustered(sound(page(load_recipe({"kind": "sample", "name": name}), how="given", clusters="5")))
    found = pipeline(app).ready("clusters")
    assert found.made_from == pipeline(app).model.fingerprint and len(found.labels) == len(pipeline(app).data)
    assert tiles(app)["Clusters"] == "5" and tiles(app)["Accuracy"].endswith("%")
    assert "used for nothing else" in words(app) and "(d₂ − d₁) / (d₂ + d₁)" in words(app)


def test_another_number_of_clusters_reuses_the_function_and_coming_back_is_free():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    model, first = pipeline(app).model, pipeline(app).clusters.folder
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


def test_a_stale_model_is_said_to_be_and_made_again():
    app = clustered(page(load_recipe(PLANES)))
    pipeline(app).data = load_recipe({**PLANES, "parameters": {**PLANES["parameters"], "random_state": 1}})
    app.run()
    assert "have changed since" in words(sound(app)) and pipeline(app).status("clusters") == "stale"
    clustered(app)
    assert pipeline(app).status("clusters") == "ready"


def test_other_representatives_make_clusters_stale_too():
    app = clustered(page(load_recipe(PLANES)))
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

    monkeypatch.setattr(cluster_room, "request", refuse)
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
    assert [pipeline(again).status(room) for room in ("data", "representatives", "model", "clusters")] == ["ready"] * 4
    assert np.array_equal(pipeline(again).clusters.labels, labels) and tiles(again)["Clusters"] == "3"
    assert again.number_input(key="cluster_clusters").value == 3
    stranger = sound(page(secret="f" * 32))
    assert not [button for button in stranger.button if button.label == "Open"]
    again.switch_page("pages/4_Train.py").run()
    assert sound(again) and "The model as it is" in words(again), "what was brought back can be looked at"


def test_clusters_can_be_renamed_and_the_names_undone():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    folder = pipeline(app).clusters.folder
    cluster_room.keep_names(folder, ["planes", "cluster 2", "=1+1"])
    assert cluster_room.names_of(folder, 3) == ["planes", "cluster 2", "=1+1"]
    app.session_state["cluster_room"].named.append((folder, ["cluster 1", "cluster 2", "cluster 3"]))
    app.run()
    app.button(key="unname").click().run()
    assert sound(app) and cluster_room.names_of(folder, 3) == ["cluster 1", "cluster 2", "cluster 3"]


def test_a_selection_shows_its_points_and_can_be_cleared():
    app = clustered(page(load_recipe({"kind": "sample", "name": "digits"}), how="given", clusters="5"))
    assert "Drag a box over points" in words(app)
    app.button(key="select_Typical").click().run()
    assert sound(app) and "**8 points**: 8 of cluster 1" in words(app)
    assert "Their codes" in words(app) and "Their representatives" in words(app) and "Their pictures" in words(app)
    app.button(key="clear_selection").click().run()
    assert sound(app) and "Drag a box over points" in words(app)


def test_of_many_points_a_part_is_drawn_and_the_page_says_which(monkeypatch):
    monkeypatch.setattr(cluster_results, "MOST_DRAWN", 90)
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    assert "Showing 90 of 180 points, each cluster by its share" in words(app)
    app.button_group(key="cluster_space").set_value("3-D").run()
    assert sound(app) and "Drag to turn" in words(app)
    app.button_group(key="cluster_view").set_value("pca").run()
    assert sound(app) and "PCA knows nothing of the clusters" in words(app)


def test_umap_is_made_when_asked_for_and_not_before():
    app = clustered(page(load_recipe(PLANES), how="given", clusters="3"))
    results = cluster_room.results_of(pipeline(app).clusters, pipeline(app).data)
    assert "umap" not in vars(results)
    app.button_group(key="cluster_view").set_value("umap").run(timeout=120)
    assert sound(app) and "distances between islands" in words(app) and results.umap.places.shape == (180, 3)


def test_deleting_a_run_takes_its_clusters_along():
    app = clustered(page(load_recipe(PLANES)))
    folder = Path(pipeline(app).clusters.folder)
    next(button for button in app.button if button.label == "Delete").click().run()
    assert sound(app) and not folder.exists() and pipeline(app).clusters is None and not app.metric
