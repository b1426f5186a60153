"""Pictures of the kinds of data, as pure functions: the map, means by numpy, markers and words that were planted."""

import numpy as np

from leasc_core.data.layout import Layout
from leasc_core.data.sources import open_source
from leasc_ui.charts.kinds import charts, images, texts

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


def test_tracks_stand_where_the_frame_has_them():
    rows = np.array([[-1.0, -0.5, 0.0, 0.0], [0.5, 0.5, 1.0, 0.5]])
    layout = Layout("tracks", (2, 2, 2), picture=np.zeros((100, 200, 3), np.uint8), to_pixels=(100.0, 50.0, 100.0, 50.0))
    data = charts.tracks_chart(rows, np.array([0, 1]), layout, ["a", "b"], frame=1).data
    assert data[["x", "y"]].to_numpy().tolist() == [[100, 50], [200, 75]] and data["x0"].tolist() == [0, 150]


def test_a_timeline_joins_windows_that_follow_one_another():
    layout = Layout("series", (6, 4, 1), step=2, starts=np.array([0, 2, 4, 0, 2, 4]), series=np.array([0, 0, 0, 1, 1, 1]))
    data = charts.timeline_chart(np.array([0, 0, 1, 1, 1, 0]), layout, ["a", "b"]).data
    found = data[["from", "to", "series", "cluster"]].to_numpy().tolist()
    assert found == [
        [0, 4, 1, "a"],
        [4, 6, 1, "b"],
        [0, 4, 2, "b"],
        [4, 6, 2, "a"],
    ]


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
    assert texts.some_texts(lines, np.tile([0, 1], 40), 1, most=2) == ["the dog number 0", "the dog number 39"]


def test_a_contact_sheet_has_a_row_for_each_cluster():
    values = np.vstack([np.tile([0, 0, 0, 1.0], (5, 1)), np.tile([1.0, 0, 0, 0], (3, 1))])
    sheet = images.contact_sheet(open_source(values), np.repeat([0, 1], [5, 3]), 2, (2, 2), across=4)
    assert sheet.shape == (8, 16) and sheet[1, 1] == 255 and sheet[0, 0] == 0 and sheet[4, 0] == 255
