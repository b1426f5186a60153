"""Numbers of clusters on the page: one click each, the evidence of all as a table, and how they nest as a picture."""

import pytest
from streamlit.testing.v1 import AppTest

from leasc_core.plan import Counts, Plateau
from leasc_ui.charts.cluster.tree import EVERYTHING, tree_figure, tree_rows
from leasc_ui.screens.cluster.resolutions import evidence_table, words_of

FINE = Plateau(4, 0.97, 0.3, 0.1, 1.2, "agreement", "Four agree.")
BROAD = Plateau(2, 0.99, 0.9, 0.0, 0.6, "agreement", "Two agree.")
POOR = Plateau(9, 0.5, 0.4, 0.9, 0.02, "agreement", "Nine hardly agree.")
NESTED = ((2, 4), ((0, 0), (0, 1, 0, 1)), ((0.6, 0.4), (0.3, 0.2, 0.35, 0.15)))
COUNTS = Counts((FINE, BROAD), "Four agree.", *NESTED, judged=(FINE, BROAD, POOR))


def page(counts):
    from types import SimpleNamespace

    from leasc_ui.screens.cluster.resolutions import show_resolutions

    model = SimpleNamespace(counts_=counts, affinity_="landmarks")
    show_resolutions(None, SimpleNamespace(model=model, choice=None, count=4, data=SimpleNamespace(fingerprint="f")))


def test_each_number_is_a_button_and_the_evidence_a_table():
    app = AppTest.from_function(page, kwargs={"counts": COUNTS}, default_timeout=60).run()
    assert not app.exception
    assert [button.label for button in app.button] == [words_of(FINE, COUNTS.plateaus), words_of(BROAD, COUNTS.plateaus)]
    assert app.button[0].disabled and not app.button[1].disabled
    assert app.dataframe[0].value["clusters"].tolist() == [4, 2, 9]


def test_no_clusters_is_said_with_the_numbers_that_were_judged():
    none = Counts((), "No clusters found: one cloud.", judged=(POOR,))
    app = AppTest.from_function(page, kwargs={"counts": none}, default_timeout=60).run()
    assert "No clusters found" in app.warning[0].value and not app.button
    assert app.dataframe[0].value["offered"].tolist() == [False]


def test_a_finer_group_lies_in_the_broad_one_that_holds_it():
    ids, names, parents, shares, tones = tree_rows(COUNTS)
    assert dict(zip(ids, parents, strict=True))["4.2"] == "2.0" and parents[1] == EVERYTHING and parents[0] == ""
    assert shares[ids.index("2.0")] == pytest.approx(0.65) and shares[0] == pytest.approx(1.0)
    assert tones[ids.index("4.2")] == tones[ids.index("2.0")] and names[ids.index("4.3")] == "4 of 4"
    figure = tree_figure(COUNTS, "dark")
    assert list(figure.data[0].ids) == ids and sum(figure.data[0]["values"]) == pytest.approx(300)


def test_the_table_says_how_each_was_found():
    assert evidence_table(COUNTS)["found by"].tolist() == ["what draws agree on"] * 3
    assert evidence_table(COUNTS)["offered"].tolist() == [True, True, False]
    assert Counts.from_state(COUNTS.state()) == COUNTS
