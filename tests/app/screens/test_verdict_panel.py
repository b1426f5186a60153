"""The verdict on the page: its mark, its reasons with the columns' own names, and remedies that ask for what they say."""

import pytest
from streamlit.testing.v1 import AppTest

VERDICT = {
    "mark": "doubtful",
    "sentence": "Two draws disagree.",
    "reasons": ["Column 1 holds 97% of all variance and hides the others."],
    "remedies": [{"action": "standardise"}, {"action": "n_clusters", "k": 3}],
}


def page(verdict):
    from types import SimpleNamespace

    from leasc_ui.screens.cluster.verdict import show_verdict

    source = SimpleNamespace(feature_names=["age", "income"])
    show_verdict(SimpleNamespace(summary={"verdict": verdict}, data=SimpleNamespace(source=source)))


@pytest.fixture
def app():
    return AppTest.from_function(page, kwargs={"verdict": VERDICT}, default_timeout=60).run()


def test_the_verdict_names_the_column_and_offers_its_remedies(app):
    assert not app.exception
    said = app.warning[0].value
    assert "Doubtful" in said and "Two draws disagree." in said and "income holds 97%" in said
    assert [button.label for button in app.button] == ["Bring the columns to standard units", "Take 3 clusters"]


def test_a_run_without_a_verdict_shows_none():
    app = AppTest.from_function(page, kwargs={"verdict": None}, default_timeout=60).run()
    assert not app.exception and not app.warning and not app.button
