"""The Data page as Streamlit runs it: empty, made, sampled, uploaded, refused, shared, undone."""

import io
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.io
from streamlit.testing.v1 import AppTest

from leasc_core.data.synthetic import four_rays
from leasc_core.data.synthetic.presets import PRESETS, make_preset
from leasc_ui.data.choices import SAMPLES
from leasc_ui.results.asked import request_of
from leasc_ui.session.address import Address
from leasc_ui.work.runs import forget, status_of
from tests.app.visits import address, pipeline, sound, words
from tests.hostile.bad import npy, object_array, pickled, zip_bomb

ROOT = Path(__file__).parents[3]
SAMPLE_FOLDER = ROOT / "sample_data"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Uploads and converted files go to a folder of the test."""
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LEASC_DATA", raising=False)


def data_page(**address):
    """The page as a link with these parameters opens it."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).switch_page("pages/2_Data.py")
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def upload(app, *files):
    """Upload named bytes with the page at *Your file*."""
    app.file_uploader[0].set_value([(name, body, "application/octet-stream") for name, body in files]).run()
    return app


def tiles(app):
    return {tile.label: tile.value for tile in app.metric}


def loaded(app):
    return app.session_state["session"].pipeline.data


def button(app, label):
    return next(each for each in app.button if each.label.startswith(label))


def test_empty_invites_and_loads_nothing():
    app = sound(data_page())
    assert "Nothing here yet" in words(app)
    assert loaded(app) is None and not app.metric and address(app) == {}
    button(app, "**Digits**").click().run()
    assert sound(app) and loaded(app).name == "Digits"


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_set(name):
    app = sound(data_page(way="sample", sample=name))
    data = loaded(app)
    shapes = {
        "four_lines": (800, 2),
        "moving_objects": (450, 48),
        "shapes_under_light": (960, 1024),
        "digits": (1797, 64),
        "corrupted": (400, 80),
        "field_scene": (48 * 64, 40),
        "cell_counts": (500, 240),
        "sentences": (400, 32),
        "sensor_states": (300, 24 * 6),
    }
    assert data.points.shape == shapes[name] and len(data.labels) == shapes[name][0]
    assert data.recipe["kind"] == "sample" and data.recipe["name"] == name
    assert tiles(app)["Points"] == f"{shapes[name][0]:,}"
    assert "never used" in words(app) and "for all points together" in words(app)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_what_the_generator_gives(name):
    data = loaded(sound(data_page(way="make", preset=name)))
    points, _ = make_preset(name)
    mine = data.source.rows(0, len(data))
    assert mine.shape == points.shape
    if name not in ("everything_at_once", "outlier_points"):
        assert np.array_equal(mine, points, equal_nan=True)
    assert np.isfinite(data.points.rows(0, len(data))).all(), "later rooms never see a missing value"


def test_a_slider_makes_other_points_and_says_so_in_the_address():
    app = sound(data_page(way="make"))
    before = loaded(app).fingerprint
    app.slider(key="data_make_subspaces").set_value(6)
    app.slider(key="data_make_noise").set_value(5.0).run()
    assert sound(app) and tiles(app)["Points"] == "1,200" and loaded(app).fingerprint != before
    assert address(app) == {"way": "make", "preset": "independent_planes", "subspaces": "6", "noise": "5"}
    button(app, "Reset").click().run()
    assert loaded(app).fingerprint == before and address(app) == {"way": "make", "preset": "independent_planes"}


def test_every_address_on_the_way_is_a_whole_one(monkeypatch):
    """Each is a step of the browser's Back: half an address would bring back an empty page."""
    written, write = [], Address.write
    monkeypatch.setattr(Address, "write", lambda self, given: (written.append(given), write(self, given)))
    app = data_page(way="make", points="20")
    app.slider(key="data_make_subspaces").set_value(5).run()
    app.toggle(key="data_clean_standardise").set_value(True).run()
    assert address(sound(app))["clean_standardise"] == "yes" and {each["way"] for each in written} == {"make"}


def test_undo_brings_back_the_data_and_the_choices():
    app = sound(data_page(way="sample", sample="digits"))
    button(app, "**Moving").click().run()
    assert loaded(app).name == "Moving objects"
    button(app, "Undo").click().run()
    assert sound(app) and loaded(app).name == "Digits" and address(app)["sample"] == "digits"
    button(app, "Undo").click().run()
    assert loaded(app) is None and button(app, "Undo").disabled


def test_undo_brings_back_what_was_made_of_the_data_though_another_page_made_more():
    app = sound(data_page(way="sample", sample="four_lines"))
    app.query_params.clear()
    app.switch_page("pages/3_Representatives.py").run()
    first = pipeline(app).representatives
    app.query_params.clear()
    app.switch_page("pages/2_Data.py").run()
    button(app, "**Moving").click().run()
    app.query_params.clear()
    app.switch_page("pages/3_Representatives.py").run()
    assert pipeline(app).ready("representatives") is not first
    app.query_params.clear()
    app.switch_page("pages/2_Data.py").run()
    button(app, "Undo").click().run()
    assert sound(app) and pipeline(app).ready("representatives") is first


def test_looking_at_another_way_changes_nothing_until_asked():
    app = sound(data_page(way="sample", sample="digits"))
    app.button_group(key="data_way").set_value("make").run()
    assert sound(app) and loaded(app).name == "Digits"
    button(app, "Make these points").click().run()
    assert sound(app) and loaded(app).recipe["kind"] == "synthetic"


def test_choices_and_data_survive_a_visit_to_another_page():
    app = data_page(way="make", subspaces="7")
    app.switch_page("app.py").run()
    app.query_params.clear()
    app.switch_page("pages/2_Data.py").run()
    assert app.slider(key="data_make_subspaces").value == 7 and tiles(app)["Points"] == "1,400"


def test_a_stale_link_opens_with_defaults_for_what_it_gets_wrong():
    app = sound(data_page(way="make", preset="gone", subspaces="4000", noise="nan", spread="x", seed="3", clean_missing="y"))
    assert app.number_input(key="data_make_seed").value == 3 and tiles(app)["Points"] == "800"
    sound(data_page(way="nowhere"))
    sound(data_page(way="sample", sample="gone"))


def test_what_cannot_be_made_is_one_sentence_and_the_last_data_stay():
    app = sound(data_page(way="make", preset="nearly_touching"))
    before = loaded(app)
    app.slider(key="data_make_dim").set_value(10).run()
    assert not app.exception and len(app.error) == 1 and "ambient_dim" in app.error[0].value
    assert loaded(app) is before
    app.slider(key="data_make_dim").set_value(3).run()
    assert sound(app) and loaded(app) is not before


def test_cleaning_changes_what_later_rooms_see_and_is_told():
    app = sound(data_page(way="sample", sample="digits"))
    app.selectbox(key="data_clean_reduce").set_value("components")
    app.run()
    app.number_input(key="data_clean_components").set_value(10)
    app.toggle(key="data_clean_unit_rows").set_value(False).run()
    data = loaded(sound(app))
    pixels = data.source.rows(0, 1797).astype(float)
    _, _, axes = np.linalg.svd(pixels - pixels.mean(axis=0), full_matrices=False)
    expected = (pixels - pixels.mean(axis=0)) @ axes[:10].T
    assert np.allclose(np.abs(data.points.rows(0, 1797)), np.abs(expected), atol=1e-6)
    assert "PCA keeps 10 components" in words(app) and tiles(app)["Features"] == "10"
    assert data.recipe["preprocess"]["n_components"] == 10
    assert address(app)["clean_reduce"] == "components" and address(app)["clean_components"] == "10"


def test_rows_with_missing_values_can_be_left_out():
    app = sound(data_page(way="make", preset="missing_entries", missing="2", clean_missing="drop"))
    data = loaded(app)
    points = data.points.rows(0, len(data))
    assert np.isfinite(points).all() and 0 < len(data) < 800 and len(data.labels) == len(data)


def test_scattering_of_pictures():
    wanted = {"clean_scattering": "yes", "clean_reduce": "components", "clean_components": "20"}
    app = sound(data_page(way="sample", sample="digits", **wanted))
    data = loaded(app)
    assert data.points.shape == (1797, 20) and "Scattering" in words(app)
    new = data.preprocess.transform(data.source.rows(5, 8))
    assert np.allclose(new, data.points.rows(5, 8), atol=1e-4), "new pictures get the features of the old ones"


def mat(**arrays):
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, arrays)
    return buffer.getvalue()


def test_upload_of_a_table():
    app = upload(data_page(way="file"), ("../four lines!.csv", (SAMPLE_FOLDER / "four_lines.csv").read_bytes()))
    data = loaded(sound(app))
    assert data.points.shape == (800, 2) and sorted(set(data.labels)) == [0, 1, 2, 3]
    path = Path(data.recipe["path"])
    assert path.name == "four lines_.csv" and path.is_file() and "uploads" in path.parts
    name = data.source.columns[-1].name
    with_roles(app, **{name: "feature"})
    assert sound(app) and loaded(app).labels is None and loaded(app).points.shape == (800, 3)
    assert loaded(app).recipe["options"] == {"roles": {name: "feature"}}
    undo(app)
    assert loaded(sound(app)).points.shape == (800, 2)


def with_roles(app, **roles):
    """Choose roles as the table of columns does; AppTest cannot edit a table."""
    room = app.session_state["data_state"]
    room.put(replace(room.wanted, file=replace(room.wanted.file, roles=tuple(sorted(roles.items())))))
    return app.run()


def undo(app):
    next(each for each in app.button if each.label == "Undo").click().run()


def test_columns_of_text_go_along():
    app = upload(data_page(way="file"), ("lab.csv", b"who,a,b,note\nanna,1,2,x\nbert,3,4,y\ncleo,5,7,z\n"))
    sound(app)
    assert tiles(app)["Points"] == "3" and tiles(app)["Features"] == "2"
    assert loaded(app).source.metadata.column("note").tolist() == ["x", "y", "z"]
    with_roles(app, note="one-hot")
    assert loaded(sound(app)).source.feature_names == ["a", "b", "note=x", "note=y", "note=z"]
    with_roles(app, note="feature")
    assert len(app.error) == 1 and "'note' holds text" in app.error[0].value and loaded(app).source.shape == (3, 5)
    with_roles(app, note="left out")
    assert loaded(sound(app)).source.feature_names == ["a", "b"]
    undo(app)
    assert loaded(sound(app)).source.shape == (3, 5)


def test_upload_of_arrays():
    points, labels = four_rays()
    body = mat(fea=points, gnd=labels[:, None], other=points[:, ::-1] * 2)
    app = upload(data_page(way="file"), ("rays.mat", body))
    assert sound(app) and np.allclose(loaded(app).points.rows(0, 800), points)
    app.selectbox[0].set_value(2 if app.selectbox[0].options[2].startswith("other") else 3).run()
    assert sound(app) and np.allclose(loaded(app).points.rows(0, 800), points[:, ::-1] * 2)
    app = upload(data_page(way="file"), ("rays.npy", npy(points)))
    assert sound(app) and loaded(app).points.shape == (800, 2) and loaded(app).labels is None


def test_upload_of_columns_as_samples():
    app = upload(data_page(way="file"), ("wide.npy", npy(np.arange(60.0).reshape(3, 20))))
    assert loaded(sound(app)).points.shape == (3, 20)
    next(each for each in app.selectbox if each.label == "Points are").set_value(2).run()
    assert loaded(sound(app)).points.shape == (20, 3)


def choose(app, label, option):
    """Choose what begins so in a menu."""
    menu = next(each for each in app.selectbox if each.label == label)
    return menu.set_value(next(at for at, words in enumerate(menu.options) if words.startswith(option))).run()


def test_a_workbook_shows_its_sheets_and_its_columns():
    out, rng = io.BytesIO(), np.random.default_rng(0)
    with pd.ExcelWriter(out) as book:
        for name, count in (("first", 30), ("second", 40)):
            frame = pd.DataFrame(rng.normal(size=(count, 3)), columns=list("abc"))
            frame.assign(note=[f"no {at}, {at * 7}" for at in range(count)]).to_excel(book, sheet_name=name, index=False)
    app = upload(data_page(way="file"), ("lab.xlsx", out.getvalue()))
    assert sound(app) and loaded(app).points.shape == (30, 3)
    assert any(each.label == "Columns: 3 features, 1 other column kept beside them" for each in app.expander)
    choose(app, "Sheet", "second")
    assert sound(app) and loaded(app).points.shape == (40, 3)
    with_roles(app, b="left out")
    assert sound(app) and loaded(app).source.feature_names == ["a", "c"]


def test_a_cube_takes_its_truth_from_another_upload_and_its_axis_from_a_menu():
    truth = np.repeat(np.arange(4), 3)[:, None] * np.ones(10, int)
    cube = (np.linspace(1, 2, 120).reshape(12, 10, 1) * (1 + truth[..., None]) * np.linspace(1, 3, 30) * 100).astype(np.int16)
    app = upload(data_page(way="file"), ("scene.npy", npy(cube)), ("classes.npy", npy(truth)))
    assert sound(app) and loaded(app).points.shape == (120, 30) and loaded(app).labels is None
    choose(app, "Labels", "classes.npy")
    assert sound(app) and sorted(set(loaded(app).labels.tolist())) == [-1, 1, 2, 3]
    choose(app, "Labels", "no labels")
    choose(app, "Spectrum", "none")
    assert sound(app) and loaded(app).image_shape == (10, 30)
    choose(app, "Spectrum", "first axis, 12")
    assert sound(app) and loaded(app).points.shape == (300, 12)


def test_a_table_in_time_is_cut_into_windows():
    lines = "time,a,b\n" + "".join(f"2024-01-01 00:{at // 60:02d}:{at % 60:02d},{at % 7},{at % 5}.5\n" for at in range(100))
    app = upload(data_page(way="file"), ("log.csv", lines.encode()))
    assert sound(app) and loaded(app).points.shape == (100, 2)
    next(each for each in app.number_input if each.label == "Rows in a window").set_value(20).run()
    assert sound(app) and loaded(app).points.shape == (5, 40) and loaded(app).recipe["options"] == {"window": 20}


def test_pictures_and_their_labels_are_uploaded_together():
    pixels = np.random.default_rng(0).integers(0, 256, (30, 8, 8)).astype(np.uint8)
    images = b"\0\0\x08\x03" + np.array([30, 8, 8], ">u4").tobytes() + pixels.tobytes()
    labels = b"\0\0\x08\x01" + np.array([30], ">u4").tobytes() + (np.arange(30) % 3).astype(np.uint8).tobytes()
    app = upload(data_page(way="file"), ("t-labels-idx1-ubyte", labels), ("t-images-idx3-ubyte", images))
    data = loaded(sound(app))
    assert data.image_shape == (8, 8) and (data.labels == np.arange(30) % 3).all()
    assert np.array_equal(data.points.rows(0, 30), pixels.reshape(30, 64))


@pytest.mark.parametrize(
    ("name", "body"),
    {
        "empty.csv": b"",
        "pickle.npy": npy(object_array(), allow_pickle=True),
        "pickle.bin": pickled(),
        "bomb.npz": zip_bomb("X.npy", 300),
        "words.csv": b"To be, or not to be\nthat is the question\n",
        "ragged.csv": b"a,b,c\n" + b"1,2,3\n" * 5 + b"1,2\n",
        "infinite.csv": b"a,b\n1,2\ninf,4\n",
        "infinite.npy": npy(np.array([[1.0, 2.0], [np.inf, 3.0]])),
        "cut.mat": mat(X=np.ones((9, 9)))[:200],
        "cut.parquet": b"PAR1 and then nothing",
        "holes.npy": npy(np.full((5, 3), np.nan)),
        "one.csv": b"a\n1\n2\n3\n",
        "complex.npy": npy(np.ones((4, 4), complex)),
        "paper.pdf": b"%PDF-1.7 ...",
        "link.csv": b"a,b\n1,2\n3,4\n[x](http://example.com),5\n",
    }.items(),
)
def test_every_refusal_is_one_sentence(name, body):
    app = upload(data_page(way="file"), (name, body))
    assert not app.exception
    assert len(app.error) == 1 and loaded(app) is None
    message = app.error[0].value
    assert message.startswith(name) and message.endswith(".") and "\n" not in message and "Traceback" not in message
    assert "[" not in message.replace("\\[", ""), "what a file says never becomes a link"
    upload(app, ("good.csv", b"a,b\n1,2\n3,4\n5,6\n"))
    assert sound(app) and loaded(app).points.shape == (3, 2)


def test_the_server_folder_and_nothing_outside_it(tmp_path, monkeypatch):
    folder = tmp_path / "served"
    (folder / "more").mkdir(parents=True)
    np.save(folder / "more" / "points.npy", four_rays()[0])
    np.save(tmp_path / "secret.npy", np.ones((3, 3)))
    (folder / "way_out.npy").symlink_to(tmp_path / "secret.npy")
    monkeypatch.setenv("LEASC_DATA", str(folder))
    app = sound(data_page(way="file"))
    app.selectbox(key="data_server").set_value("more/points.npy").run()
    assert loaded(sound(app)).points.shape == (800, 2)
    assert address(app) == {"way": "file", "file": "more/points.npy"}
    assert loaded(sound(data_page(way="file", file="more/points.npy"))).points.shape == (800, 2)
    for outside in ("../secret.npy", str(tmp_path / "secret.npy"), "way_out.npy", "gone.npy", "\0"):
        app = data_page(way="file", file=outside)
        assert not app.exception and len(app.error) == 1 and "not in the server’s data folder" in app.error[0].value
        assert loaded(app) is None


def test_home_demos_are_one_click():
    for name in ("moving_objects", "shapes_under_light", "digits", "four_lines"):
        app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
        app.button(key=f"data_invite_{name}").click().run()
        assert sound(app) and loaded(app).recipe["name"] == name
        assert app.title[0].value == "Cluster" and address(app) == {"data.way": "sample", "data.sample": name}
        folder = app.session_state["cluster_state"].folder
        assert request_of(folder).recipe["name"] == name and status_of(folder).state != "broken", "the run has begun by itself"
        if name != "four_lines":
            forget(folder)
    deadline = time.monotonic() + 150
    while pipeline(app).ready("clusters") is None:
        assert time.monotonic() < deadline
        time.sleep(0.2)
        sound(app.run())
    assert address(app) == {"data.way": "sample", "data.sample": "four_lines", "clustered": "yes"}
    assert tiles(app)["Clusters"] == "4" and tiles(app)["Accuracy"] == "100.0 %"


def test_numbers_of_rows_and_years_are_no_features():
    rows = "".join(f"{10_001 + i},{2019 + i % 3},{i * 37 % 11},{i * 53 % 13},{i % 7}\n" for i in range(40))
    app = upload(data_page(way="file"), ("table.csv", f"id,year,a,b,c\n{rows}".encode()))
    assert loaded(sound(app)).source.feature_names == ["a", "b", "c"]
    assert [column.role for column in loaded(app).source.columns] == ["id", "time", "feature", "feature", "feature"]
    with_roles(app, year="feature")
    assert loaded(sound(app)).source.feature_names == ["year", "a", "b", "c"]
    assert loaded(app).recipe["options"] == {"roles": {"year": "feature"}}


def test_a_column_without_a_value_goes_at_a_click():
    rows = "".join(f"{i * 37 % 11},,{i * 53 % 13},{'' if i == 3 else i % 7}\n" for i in range(40))
    app = upload(data_page(way="file", clean_missing_values="mean"), ("holes.csv", f"a,b,c,d\n{rows}".encode()))
    assert not app.exception and "'b'" in app.error[0].value and "drop_constant" not in app.error[0].value
    app.button(key="without").click().run()
    assert loaded(sound(app)).points.shape == (40, 3)


def test_a_table_that_may_lie_on_its_side_is_said_to():
    buffer = io.BytesIO()
    np.save(buffer, np.random.default_rng(0).standard_normal((12, 60)))
    app = upload(data_page(way="file"), ("wide.npy", buffer.getvalue()))
    assert "If every column is a point" in words(sound(app))
