"""Recent runs on the home page: of this visitor, the newest three, and nothing where there are none."""

from pathlib import Path
from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from leasc_ui.screens.cluster import state as cluster_room

APP = str(Path(__file__).parents[3] / "app.py")


def runs_named(*names):
    settings, status = SimpleNamespace(clusters=4), SimpleNamespace(state="finished")
    return [(Path(name), SimpleNamespace(name=name, settings=settings), status) for name in names]


def words(app):
    return " ".join(element.value for element in app.markdown)


def test_without_runs_home_says_nothing_of_them():
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    assert "Recent runs" not in [element.value for element in app.subheader]


def test_the_newest_three_are_shown(monkeypatch):
    monkeypatch.setattr(cluster_room, "earlier_runs", lambda visitor: runs_named("digits", "planes", "rays", "old"))
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    assert "Recent runs" in [element.value for element in app.subheader]
    assert "**digits**" in words(app) and "4 clusters; is finished" in words(app)
    assert "**rays**" in words(app) and "**old**" not in words(app)
