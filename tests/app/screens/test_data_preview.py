"""The numbers of a preview against plain definitions, choices through an address, and names of uploads."""

import base64
import io
import os
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from leasc_core.data.sources import open_source
from leasc_core.errors import DataError, LeascError
from leasc_ui.charts.data.points import FEW_MARKS, MOST_MARKS, labels_legend, projection_chart
from leasc_ui.data.choices import READING, Cleaning, DataChoices, FileChoice, Making, of_preset, of_recipe, of_sample
from leasc_ui.data.preview import Preview, code_labels, feature_statistics, local_dimension, montage, sample_rows
from leasc_ui.data.recipes import load_recipe
from leasc_ui.frame.theme import CLUSTERS
from leasc_ui.screens.data.address import from_address, to_address
from leasc_ui.screens.data.state import DataState
from leasc_ui.session.fields import fields_of
from leasc_ui.work import uploads
from leasc_ui.work.cache import LruCache
from leasc_ui.work.names import safe_name
from tests.app.visits import HOSTILE


def preview(rows):
    source = open_source(rows)
    return Preview(source, source)


@pytest.mark.parametrize("shape", [(60, 7), (9, 30)])
def test_spectrum_and_projection_are_those_of_the_svd(shape):
    rows = np.random.default_rng(0).standard_normal(shape) + 2
    singular = np.linalg.svd(rows, compute_uv=False)
    seen = preview(rows)
    assert np.allclose(seen.spectrum.values[: len(singular)], singular / singular[0], atol=1e-7)
    energy = np.cumsum(singular**2) / (singular**2).sum()
    assert seen.spectrum.together == np.flatnonzero(energy >= 0.99)[0] + 1
    left, centred, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    assert np.allclose(np.abs(seen.projection.places), np.abs(left[:, :3] * centred[:3]), atol=1e-5)
    assert np.allclose(seen.projection.shares, centred[:3] ** 2 / (centred**2).sum())


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_the_dimension_around_a_point_is_that_of_its_subspace(dimension):
    rng = np.random.default_rng(1)
    basis = np.linalg.qr(rng.standard_normal((12, dimension)))[0]
    assert local_dimension(rng.uniform(-1, 1, (1500, dimension)) @ basis.T) == pytest.approx(dimension, rel=0.2)
    assert local_dimension(np.ones((50, 3))) is None


def test_statistics_of_columns_with_holes():
    rows = np.random.default_rng(2).standard_normal((200, 4))
    rows[::3, 1] = np.nan
    rows[:, 3] = np.nan
    seen = feature_statistics(rows)
    there = rows[:, :3]
    assert np.allclose(seen.mean[:3], np.nanmean(there, axis=0))
    assert np.allclose(seen.deviation[:3], np.nanstd(there, axis=0))
    assert np.allclose(seen.low[:3], np.nanmin(there, axis=0)) and np.allclose(seen.high[:3], np.nanmax(there, axis=0))
    assert seen.missing.tolist() == [0, 67, 0, 200] and seen.histograms.sum(axis=1).tolist() == [200, 133, 200, 0]
    assert np.array_equal(seen.histograms[0], np.histogram(rows[:, 0], bins=16)[0])


def test_a_large_set_is_looked_at_through_a_sample():
    rows = sample_rows(1_000_000, 50_000)
    assert len(np.unique(rows)) == 50_000 and (np.diff(rows) > 0).all() and rows[-1] < 1_000_000
    assert abs(rows.mean() / 500_000 - 1) < 0.02
    assert sample_rows(10, 50_000).tolist() == list(range(10))


def test_a_picture_whose_pixels_run_down_is_turned_back():
    picture = np.arange(12).reshape(3, 4)
    rows = np.stack([picture.ravel(order="F")] * 2).astype(float)
    _, shown = preview(rows).pictures((3, 4), "F")
    assert np.array_equal(shown[0], np.floor(picture * 255 / 11).astype(np.uint8))
    sheet = montage(shown, 2)
    assert sheet.shape == (3, 9) and np.array_equal(sheet[:, 5:], shown[1])


def test_labels_of_any_kind_get_names():
    codes, names = code_labels(np.array([7, 3, 7]), None)
    assert codes.tolist() == [1, 0, 1] and names == ("class 3", "class 7")
    assert code_labels(np.array([-1, 0, 1]), ("a", "b"))[1] == ("no label", "a", "b")
    assert "&lt;b&gt;" in labels_legend(codes, ("<b>", "x")), "a name from a file is never markup"


def test_many_points_become_a_picture_of_their_colours_in_their_places():
    places = np.repeat([[0.0, 0.0], [1.0, 1.0]], [MOST_MARKS, 1], axis=0)
    labels = np.repeat([0, 1], [MOST_MARKS, 1])
    chart = projection_chart(places, labels, ("a", "b"), ("x", "y"), "dark")
    assert chart.data["kind"].value_counts().to_dict() == {"dot": FEW_MARKS, "image": 1, "corner": 1}
    image = chart.data.query("kind == 'image'").iloc[0]
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(image["url"].split(",", 1)[1]))))
    for corner, (_, dark) in ((pixels[-1, 0], CLUSTERS[0]), (pixels[0, -1], CLUSTERS[1])):
        assert corner[:3].tolist() == [int(dark[at : at + 2], 16) for at in (1, 3, 5)] and corner[3] > 0
    assert pixels[len(pixels) // 2, pixels.shape[1] // 2, 3] == 0, "nothing where no point is"
    few = projection_chart(places[-3:], labels[-3:], None, ("x", "y"), "dark")
    assert "layer" not in few.spec and len(few.data) == 3


@given(st.data())
def test_an_address_gives_the_choices_back(data):
    making = of_preset(data.draw(st.sampled_from(["independent_planes", "crowded_lines", "mixed_dimensions"])))
    making = replace(
        making,
        subspaces=data.draw(st.integers(*fields_of(Making)["subspaces"].options)),
        missing=data.draw(st.integers(0, 50)) * 1.0,
        affine=data.draw(st.booleans()),
        seed=data.draw(st.integers(*fields_of(Making)["seed"].options)),
    )
    cleaning = Cleaning(standardise=data.draw(st.booleans()), missing=data.draw(st.sampled_from(["mean", "drop", "low_rank"])))
    for choices in (DataChoices("make", making=making, cleaning=cleaning), replace(of_sample("digits"), cleaning=cleaning)):
        assert from_address(to_address(choices)) == choices
        recipe = {**choices.recipe(), "preprocess": cleaning.settings(some_missing=True)}
        back = of_recipe(recipe)
        assert back.recipe() == choices.recipe() and back.cleaning == cleaning


NAMES = ["way", "preset", "sample", "noise", "seed", "points", "clean_reduce", "clean_missing", *READING]


@given(st.dictionaries(st.sampled_from([*NAMES, "file"]), st.text() | st.sampled_from(HOSTILE)))
def test_no_address_breaks_the_page(given_):
    for way in ("make", "sample", "file", given_.get("way", "")):
        assert isinstance(from_address({**given_, "way": way}), DataChoices)


@given(st.text())
def test_a_stored_name_stays_in_its_folder(name):
    safe = safe_name(name)
    assert safe and "/" not in safe and "\\" not in safe and safe not in (".", "..") and len(safe.encode()) <= 200
    assert not any(unicodedata.category(letter)[0] in "CZS" and letter != " " for letter in safe), "no control, no sign"


def test_a_stored_name_keeps_its_letters_and_its_ending():
    for name in ("Meßwerte Größe 2026.csv", "हिन्दी डेटा.csv"):
        assert safe_name(name) == name
    assert safe_name("x" * 500 + ".mat").endswith(".mat") and safe_name("測" * 500 + ".csv").endswith(".csv")


def test_uploads_are_whole_private_and_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path))
    folder = uploads.new_folder("me")
    assert uploads.store(folder, "a.csv", io.BytesIO(b"1,2")).read_bytes() == b"1,2"
    assert folder.stat().st_mode & 0o077 == 0 and len(list(folder.iterdir())) == 1
    os.utime(folder, (0, 0))
    uploads.new_folder("me")
    assert not folder.exists()
    (tmp_path / "uploads").chmod(0o500)
    if os.geteuid() != 0:
        with pytest.raises(DataError, match="cannot be kept"):
            uploads.new_folder("me")


def test_clearing_refuses_no_upload(tmp_path, monkeypatch):
    """180 uploads of ten visitors while old ones are cleared away without a break."""
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path))
    done = threading.Event()
    clearing = threading.Thread(target=lambda: [uploads.tidy() for _ in iter(done.is_set, True)])
    clearing.start()

    def bring(number):
        old = uploads.new_folder(f"visitor{number % 10}")
        os.utime(old, (0, 0))
        return uploads.store(uploads.new_folder(f"visitor{number % 10}"), "a.csv", io.BytesIO(b"1,2")).read_bytes()

    try:
        with ThreadPoolExecutor(6) as visitors:
            assert list(visitors.map(bring, range(90))) == [b"1,2"] * 90
    finally:
        done.set()
        clearing.join()


def test_an_upload_is_its_visitors_alone_and_counts_for_the_quota(tmp_path, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path))
    path = uploads.store(uploads.new_folder("ada"), "a.csv", io.BytesIO(b"1,2"))
    monkeypatch.setenv("LEASC_VISITOR_GB", "1e-9")
    with pytest.raises(LeascError, match="Your runs and uploads take"):
        uploads.new_folder("ada")
    assert uploads.new_folder("bo").exists()
    monkeypatch.setattr(uploads, "visitor", lambda: "ada")
    assert FileChoice(str(path)).place() == path
    monkeypatch.setattr(uploads, "visitor", lambda: "bo")
    with pytest.raises(DataError, match="is not one of your uploads; upload it again"):
        FileChoice(str(path)).place()


def test_a_recipe_gives_the_same_data_elsewhere(tmp_path):
    np.savetxt(tmp_path / "points.csv", np.arange(24.0).reshape(8, 3), delimiter=",")
    cleaning = Cleaning(unit_rows=True).settings(some_missing=False)
    recipe = {"kind": "file", "path": str(tmp_path / "points.csv"), "options": {}, "preprocess": cleaning}
    one, two = load_recipe(recipe), load_recipe(recipe)
    assert one.fingerprint == two.fingerprint
    rows = np.arange(24.0).reshape(8, 3)
    assert np.allclose(one.points.rows(0, 8), rows / np.linalg.norm(rows, axis=1, keepdims=True))
    with pytest.raises(DataError, match="unknown kind"):
        load_recipe({"kind": "other"})


def test_the_shelf_keeps_the_last_few():
    shelf, made = LruCache(2), []
    for key in "abaca":
        shelf.get(key, lambda key=key: made.append(key) or key)
    assert made == ["a", "b", "c"]
    shelf.get("b", lambda: made.append("b"))
    assert made == ["a", "b", "c", "b"]


def test_a_glance_elsewhere_does_not_replace_loaded_data():
    room = DataState(choices=DataChoices("make"), loaded=of_sample("digits"))
    assert room.wanted.sample == "digits"
    room.take = True
    assert room.wanted.way == "make"
