"""Pictures from Python: each says what the model found, in HTML that closes, and a fitted model shows itself in a notebook."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import sklearn

from leasc_core import LeaSC, make_union_of_subspaces, plot
from leasc_core.autopilot.candidates import Candidate, Evidence, Proposal
from leasc_core.errors import ParameterError

VOID = {"meta", "input", "br", "img", "link"}


@pytest.fixture(scope="module")
def rows():
    Y, y = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=6, n_per_subspace=40, noise=0.02, random_state=0)
    frame = pd.DataFrame(Y, columns=["a", "b<i>", "c", "d", "e", "height"])
    frame["height"] = 10.0 * y
    return frame


@pytest.fixture(scope="module")
def model(rows):
    return LeaSC(3, preprocess=None, affinity="landmarks", n_representatives=30, random_state=0).fit(rows)


def checked(html):
    """Its text; every tag that opens closes."""
    opened, said = [], []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            opened.extend([tag] * (tag not in VOID))

        def handle_endtag(self, tag):
            assert tag in VOID or opened.pop() == tag

        def handle_data(self, data):
            said.append(data)

    reader = Reader()
    reader.feed(html)
    assert not opened
    return " ".join(said)


@pytest.mark.parametrize("name", ["map", "codes", "sizes", "spectrum", "profiles", "verdict"])
def test_every_picture_shows_and_saves(model, rows, name, tmp_path):
    drawn = getattr(plot, name)(model, *([rows] if name in ("map", "codes", "profiles") else []))
    assert drawn.title in checked(drawn._repr_html_())
    drawn.save(tmp_path / "picture.html")
    checked((tmp_path / "picture.html").read_text())
    if drawn.svg:
        drawn.save(tmp_path / "picture.svg")
        assert ElementTree.parse(tmp_path / "picture.svg").getroot().tag.endswith("svg")
    with pytest.raises(ParameterError, match=r"picture\.png cannot be written: name a file that ends in .*html"):
        drawn.save(tmp_path / "picture.png")


def test_profiles_hold_the_effects_and_the_own_units(rows):
    truth = np.repeat([0, 1, 2], 40)
    drawn = plot.profiles(truth, rows, most=1)
    said = checked(drawn.html)
    assert "height in cluster 1: mean 0, elsewhere 15" in said and "height in cluster 3: mean 20, elsewhere 5" in said
    assert "<i>" not in plot.profiles(truth, rows).html


def test_clusters_are_numbered_from_one_in_every_picture(model, rows):
    for drawn in (plot.map(model, rows), plot.profiles(model, rows), plot.sizes(model)):
        numbers = set(re.findall(r">(\d)(?: \(\d+\))?</text>", drawn.svg))
        assert {"1", "2", "3"} <= numbers and (drawn.title == "Cluster sizes" or "0" not in numbers)


def test_other_rows_than_those_fitted_are_refused(model, rows):
    with pytest.raises(ParameterError, match="fitted to 120 rows and these are 60"):
        plot.map(model, rows[:60])


def test_a_fitted_model_shows_what_it_found_above_its_parameters(model, tmp_path):
    bare, shown = (each._repr_mimebundle_()["text/html"] for each in (LeaSC(3), model))
    assert "clusters in 120 points" not in checked(bare)
    said = checked(shown)
    assert "3 clusters" in said and " in 120 points of 6 features" in said and "n_representatives" in said
    assert model.verdict_.mark in said
    model.save(tmp_path / "model.leasc")
    loaded = LeaSC.load(tmp_path / "model.leasc")
    assert "3 clusters" in checked(loaded._repr_mimebundle_()["text/html"])
    with sklearn.config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()


def test_a_proposal_shows_its_sentence_and_its_table():
    evidence = Evidence(2.0, 0.75, 0.1, 0.5, 1.0, 3.0)
    best = Candidate(4, 1.0, "f2", 100, 200, "landmarks", evidence, 0.875, 1.0)
    said = checked(Proposal((best,), "Take <4>.", 60.0, 1.0, 100, True)._repr_html_())
    assert "Take <4>." in said and "0.875" in said and "stability" in said
