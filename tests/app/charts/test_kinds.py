"""Pictures of the kinds of data, as pure functions: the map, means by numpy, markers and words that were planted."""

from types import SimpleNamespace

import numpy as np

from leasc_core.data.layout import Layout
from leasc_core.data.sources import open_source
from leasc_ui.charts.kinds import charts, images, texts
from leasc_ui.results.picks import rows_of
from leasc_ui.results.placed import ACROSS, placed, sheet_rows, time_places

RNG = np.random.default_rng(0)


def test_a_map_puts_every_pixel_s_colour_in_its_place():
    background = np.zeros(6, bool)
    background[5] = True
    picture = images.cluster_map(np.array([0, 1, 0, 1, 0, 1]), Layout("cube", (2, 3, 4), background=background))
    assert picture.shape == (2, 3, 3) and tuple(picture[1, 2]) == images.BACKGROUND
    assert (
        (picture[0, 0] == picture[0, 2]).all()
        and (picture[0, 0] != picture[0, 1]).any()
        and (picture[0, 1] == picture[1, 0]).all()
    )


def test_a_composite_takes_red_green_and_blue_where_wavelengths_tell():
    values = np.zeros((6, 4))
    values[:, 3] = np.arange(6)  # 650 nm
    layout = Layout("cube", (2, 3, 4), wavelengths=np.array([400.0, 470, 550, 650]), unit="nm")
    picture = images.composite(open_source(values), layout)
    assert picture[0, 0, 0] == 0 and picture[1, 2, 0] == 255 and not picture[..., 1:].any()


def test_means_and_deviations_are_those_of_the_clusters_in_one_pass():
    values, labels = 1000 + RNG.normal(size=(500, 6)), RNG.integers(0, 3, 500)
    means, deviations = charts.cluster_means(open_source(values), labels, 3)
    for k in range(3):
        assert np.allclose(means[k], values[labels == k].mean(axis=0)) and np.allclose(
            deviations[k], values[labels == k].std(axis=0)
        )
    layout = Layout("cube", (50, 10, 6), wavelengths=np.arange(6.0), unit="nm")
    chart = charts.spectra_chart(means, deviations, layout, ["a", "b", "c"])
    assert len(chart.data) == 18 and "wavelength (nm)" in str(chart.spec)


def result(layout, values, labels, **data):
    """As much of a result as a picture of its kind asks for."""
    source = open_source(np.asarray(values, float))
    source.layout = layout
    return SimpleNamespace(data=SimpleNamespace(source=source, **data), labels=np.asarray(labels), count=int(np.max(labels)) + 1)


def test_tracks_stand_where_the_frame_has_them():
    rows = np.array([[-1.0, -0.5, 0.0, 0.0], [0.5, 0.5, 1.0, 0.5]])
    layout = Layout("tracks", (2, 2, 2), picture=np.zeros((100, 200, 3), np.uint8), to_pixels=(100.0, 50.0, 100.0, 50.0))
    found = result(layout, rows, [0, 1])
    assert placed(found, "frame1")[1].tolist() == [[100, 50], [200, 75]]
    assert rows_of("box~frame0~0~10~0~100", found).tolist() == [0] and rows_of("box~frame7~0~1000~0~1000", found) is None


def test_a_box_in_a_scene_takes_its_pixels_and_no_background():
    background = np.zeros(12, bool)
    background[5] = True
    found = result(Layout("cube", (3, 4, 2), background=background), np.zeros((12, 2)), np.zeros(12, int))
    assert rows_of("box~scene~1~3~0~2", found).tolist() == [1, 2, 6]
    assert rows_of("lasso~scene~0~0~4~0~0~3", found).tolist() == [0, 1, 2, 4, 8]
    assert rows_of("box~time~1~3~0~2", found) is None and rows_of("rows~3~11~99", found).tolist() == [3, 11]


def test_windows_stand_in_time_with_a_row_for_each_series():
    layout = Layout("series", (5, 4, 1), step=2, starts=np.array([0, 2, 4, 0, 2]), series=np.array([0, 0, 0, 1, 1]))
    found = result(layout, np.zeros((5, 4)), [0, 0, 1, 1, 0])
    assert rows_of("box~time~1~3~0~2", found).tolist() == [1, 2, 4]
    line = images.timeline(found.labels, time_places(layout, 5))
    assert line.shape == (2, 3, 3) and (line[1, 2] == 255).all() and (line[0, 2] == line[1, 0]).all()


def test_planted_markers_are_found():
    values, labels = RNG.poisson(1.0, (300, 20)).astype(float), np.repeat(np.arange(3), 100)
    for k in range(3):
        values[labels == k, 5 * k] += 10
    source = open_source(values)
    means, _ = charts.cluster_means(source, labels, 3)
    genes = charts.marker_genes(means, [f"g{at}" for at in range(20)], each=1)
    assert genes == [0, 5, 10]
    shares = charts.shares_above_zero(source, labels, 3)
    assert np.allclose(shares[1], (values[labels == 1] > 0).mean(axis=0))
    assert len(charts.dot_chart(means, shares, genes, [f"g{at}" for at in range(20)], ["a", "b", "c"]).data) == 9


def test_words_that_set_texts_apart():
    lines = [f"the {word} number {at}" for at in range(40) for word in ("cat", "dog")]
    found = texts.telling_terms(lines, np.tile([0, 1], 40), 2)
    assert found == [["cat"], ["dog"]]


def test_a_contact_sheet_has_a_row_for_each_cluster():
    values = np.vstack([np.tile([0, 0, 0, 1.0], (5, 1)), np.tile([1.0, 0, 0, 0], (3, 1))])
    labels = np.repeat([0, 1], [5, 3])
    sheet = images.contact_sheet(open_source(values), np.array([[0, 1, 2, 3], [5, 6, 7, -1]]), (2, 2))
    assert sheet.shape == (8, 16) and sheet[1, 1] == 255 and sheet[0, 0] == 0 and sheet[4, 0] == 255
    assert sheet_rows(labels, 2)[1].tolist() == [5, 6, 7] + [-1] * (ACROSS - 3)
    found = result(None, values, labels, image_shape=(2, 2))
    assert rows_of("box~sheet~0~7~4~8", found).tolist() == [5, 6]


def test_what_is_not_selected_fades():
    picture = np.full((2, 2, 3), 10, np.uint8)
    shown = images.faded(picture, np.array([[True, False], [False, False]]))
    assert (shown[0, 0] == 10).all() and (shown[1, 1] > 150).all()
