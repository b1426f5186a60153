"""Charts are plain data: these read them back without a browser and without Streamlit."""

import base64
import io
import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from leasc_core.events import CodingIteration, NetworkEpoch
from leasc_ui.charts.codes import cluster_order, codes_chart, picture_url, scale_html, shared_limit
from leasc_ui.charts.points import legend_html, points_chart
from leasc_ui.charts.progress import network_chart, objective_chart, powers_of_ten, residual_chart, times_chart
from leasc_ui.frame.theme import NEGATIVE, POSITIVE, SHADES

POINTS = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]])
LABELS = np.array([1, 0, 1, 0])
HISTORY = [
    CodingIteration(10, 1.0, 9.0, 5.0, 4.0, 1.0, 0.5),
    CodingIteration(20, 1e-3, 8.0, 5.0, 3.0, 1.0, 0.01),
]
CHARTS = {
    "points": points_chart(POINTS, LABELS, np.array([2]), 200),
    "codes": codes_chart(np.eye(4, 2), LABELS, np.array([0, 1]), 1.0, columns="points"),
    "objective": objective_chart(HISTORY),
    "residual": residual_chart(HISTORY),
    "network": network_chart([NetworkEpoch(0, 0.5, 0.6), NetworkEpoch(1, 0.4, 0.5)]),
    "times": times_chart({"coding": 0.002, "labels": 0.03}),
}


def titles(spec):
    """Every axis title of a specification, however deep."""
    if isinstance(spec, list):
        return [title for each in spec for title in titles(each)]
    if not isinstance(spec, dict):
        return []
    own = [spec["title"]] if "axis" in spec and spec.get("title") else []
    return own + [title for each in spec.values() for title in titles(each)]


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_has_axis_titles_a_tooltip_and_words(name):
    chart = CHARTS[name]
    assert titles(chart.spec)
    assert "tooltip" in str(chart.spec)
    assert chart.alt.endswith(".") and len(chart.alt) > 20
    assert len(chart.data)


def test_the_specification_does_not_know_the_data():
    """What makes the browser keep its drawing while a slider moves."""
    other = points_chart(-POINTS, LABELS[::-1], np.array([0, 1]), 200)
    assert (other.spec, other.alt) == (CHARTS["points"].spec, CHARTS["points"].alt)
    other = codes_chart(np.ones((3, 3)), np.array([0, 1, 2]), np.array([0, 1, 2]), 2.0, columns="points")
    assert (other.spec, other.alt) == (CHARTS["codes"].spec, CHARTS["codes"].alt)


def test_points_keep_their_place_cluster_and_role():
    data = CHARTS["points"].data
    assert np.allclose(data[["x", "y"]], POINTS)
    assert list(data["cluster"]) == ["cluster 2", "cluster 1", "cluster 2", "cluster 1"]
    assert list(np.flatnonzero(data["representative"])) == [2]


def test_legend_counts():
    html = legend_html(LABELS, np.array([2]))
    assert "cluster 1, 2<" in html and "cluster 2, 2<" in html and "representatives, 1<" in html


def picture(url):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1]))).convert("RGBA"))


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def test_picture_is_transparent_at_zero_and_solid_at_the_limit():
    pixels = picture(picture_url(np.array([[0.0, 1.0, -1.0, 9.0, -9.0, 0.5]]), 1.0))[0]
    assert pixels[0, 3] == 0
    assert list(pixels[1]) == list(pixels[3]) == [*rgb(POSITIVE), 255]
    assert list(pixels[2]) == list(pixels[4]) == [*rgb(NEGATIVE), 255]
    assert 0 < pixels[5, 3] < 255


def test_codes_are_sorted_by_cluster_with_a_point_a_column():
    codes = np.zeros((4, 2))
    codes[0, 1] = 1.0  # point 0 of cluster 2 is helped by representative 1 of cluster 1
    chart = codes_chart(codes, LABELS, np.array([1, 0]), 1.0, columns="points")
    pixels = picture(chart.data["url"].dropna().iloc[0])
    assert pixels.shape == (2, 4, 4)
    assert np.argwhere(pixels[..., 3] > 0).tolist() == [[0, 2]]
    blocks = chart.data[chart.data["kind"] == "block"].set_index(["points", "helpers"])["mean"]
    assert blocks["cluster 2", "cluster 1"] == 0.5 and blocks.sum() == 0.5


def test_a_cluster_without_representatives_leaves_no_hole():
    chart = codes_chart(np.ones((4, 2)), LABELS, np.array([1, 1]), 1.0, columns="points")
    assert np.isfinite(chart.data.loc[chart.data["kind"] == "block", "mean"]).all()


def test_shared_limit_is_one_for_all_and_never_zero():
    assert shared_limit(np.array([-3.0]), np.array([1.0, 2.0])) == pytest.approx(3.0, rel=0.02)
    assert shared_limit(np.zeros(3)) == 1.0
    few = np.zeros(1000)
    few[0] = -0.25
    assert shared_limit(few) == 0.25


def test_cluster_order_is_stable():
    assert cluster_order(np.array([1, 0, 1, 0])).tolist() == [1, 3, 0, 2]


def test_residual_draws_the_gap_only_where_there_is_one():
    assert set(CHARTS["residual"].data["what"]) == {"residual", "duality gap"}
    paper = [CodingIteration(1, 0.5, 1.0, 1.0, 0.0, 0.01), CodingIteration(2, 0.0, 1.0, 1.0, 0.0, 0.01)]
    chart = residual_chart(paper)
    assert set(chart.data["what"]) == {"residual"}
    assert (chart.data["value"] > 0).all(), "a log axis has no place for zero"


def test_powers_of_ten_hold_the_values_and_are_few():
    assert powers_of_ten([0.002, 30.0]) == pytest.approx([0.001, 0.01, 0.1, 1.0, 10.0, 100.0])
    assert powers_of_ten([1.0]) == [1.0]
    assert len(powers_of_ten([1e-30, 1e30])) <= 7


def test_times_are_milliseconds_in_order():
    assert CHARTS["times"].data.to_dict("list") == {"stage": ["coding", "labels"], "milliseconds": [2.0, 30.0]}


def test_scale_names_its_ends():
    assert "−0.25" in scale_html(0.25) and "+0.25" in scale_html(0.25)


def test_streamlits_theme_has_the_same_ground_and_ink():
    config = tomllib.loads((Path(__file__).parents[3] / ".streamlit" / "config.toml").read_text())["theme"]
    for place, mode in enumerate(("light", "dark")):
        assert config[mode]["backgroundColor"] == SHADES["paper"][place]
        assert config[mode]["textColor"] == SHADES["text"][place]
        assert config[mode]["borderColor"] == SHADES["line"][place]
        assert config[mode]["primaryColor"] == SHADES["accent"][place]


def contrast(one, other):
    """WCAG 2's contrast ratio of two colours."""

    def luminance(colour):
        channels = np.array(rgb(colour)) / 255
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(place):
    for ground in ("paper", "card"):
        assert contrast(SHADES["text"][place], SHADES[ground][place]) >= 7
        assert contrast(SHADES["muted"][place], SHADES[ground][place]) >= 4.5
    assert contrast(SHADES["on-accent"][place], SHADES["accent"][place]) >= 4.5
