"""The strip: what it says of rooms that are missing, running, ready and out of date, and that it stands on every page."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from leasc_core.data.sources import open_source
from leasc_ui.frame.page import PAGES, exists
from leasc_ui.frame.strip import HOMES, stages_of
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import (
    ChosenRepresentatives,
    FoundClusters,
    LoadedData,
    Pipeline,
    RepresentativeSettings,
    TrainedModel,
)

HOME = Path(__file__).parents[3] / "app.py"


def data(rows):
    return LoadedData("points", {"kind": "test"}, open_source(np.full((rows, 3), 1.0)))


@pytest.fixture
def pipeline():
    """All four rooms, each made from the one before."""
    made = Pipeline(data=data(2414))
    made.representatives = ChosenRepresentatives(made.data.fingerprint, RepresentativeSettings(count=100), np.arange(100))
    made.model = TrainedModel(made.representatives.fingerprint, TrainSettings(hidden=500), None)
    made.clusters = FoundClusters(made.model.fingerprint, None, np.array([0, 2, 2, 5]))
    return made


def test_nothing_yet():
    stages = stages_of(Pipeline())
    assert [stage.title for stage in stages] == ["Data", "Representatives", "Model", "Clusters"]
    assert {stage.status for stage in stages} == {"missing"}


def test_facts_of_finished_rooms(pipeline):
    stages = stages_of(pipeline)
    assert {stage.status for stage in stages} == {"ready"}
    assert [stage.fact for stage in stages] == [
        "2,414 points × 3 features",
        "100 drawn at random",
        "F², 500 hidden units",
        "3 clusters",
    ]


def test_what_is_paused_is_not_said_to_be_computed(pipeline):
    model = stages_of(pipeline, running="model", paused=True)[2]
    assert (model.fact, model.status) == ("paused", "paused")


def test_new_data_make_every_later_room_out_of_date(pipeline):
    pipeline.data = data(10)
    stages = stages_of(pipeline)
    assert [stage.status for stage in stages] == ["ready", "stale", "stale", "stale"]
    assert stages[1].fact == "out of date: 100 drawn at random"


def test_the_running_room_says_so(pipeline):
    stages = stages_of(pipeline, running="model")
    assert [stage.status for stage in stages] == ["ready", "ready", "running", "ready"]


def test_the_menu_and_the_strip_lead_to_the_same_pages():
    assert set(HOMES.values()) <= set(PAGES)


@pytest.mark.parametrize("page", ["app.py", "pages/2_Data.py"])
def test_it_stands_on_the_page(page, pipeline):
    app = AppTest.from_file(HOME, default_timeout=60)
    if page != "app.py":
        app.switch_page(page)
    app.run()
    assert not app.exception
    labels = [link.proto.label for link in app.get("page_link")]
    for room, home in HOMES.items():
        words = f"**{'Model' if room == 'model' else room.capitalize()}** "
        assert any(label.startswith(words) for label in labels) == exists(home)
