"""Charts as files: complete without a network, of the colours of the theme, and with all their data."""

import io
import json
import zipfile
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from leasc_ui.charts.data.points import MOST_MARKS, projection_chart
from leasc_ui.charts.files import charts_zip, page, whole
from leasc_ui.frame.theme import CLUSTERS, SHADES

FEW = projection_chart(np.array([[0.0, 1.0], [2.0, 3.0], [np.nan, 5.0]]), np.array([0, 1, 0]), ("a", "b"), ("across", "up"))
MANY = projection_chart(np.random.default_rng(0).standard_normal((MOST_MARKS + 1, 2)), None, None, ("across", "up"), "dark")


def test_every_chart_is_a_page_a_drawing_and_a_picture():
    archive = zipfile.ZipFile(io.BytesIO(charts_zip({"few": FEW, "many": MANY}, dark=True)))
    assert sorted(archive.namelist()) == [f"{name}.{kind}" for name in ("few", "many") for kind in ("html", "png", "svg")]
    for name in ("few", "many"):
        page = archive.read(f"{name}.html").decode()
        assert "<script src=" not in page and "across" in page
        drawing = ElementTree.fromstring(archive.read(f"{name}.svg"))
        assert "across" in "".join(drawing.itertext())
        picture = np.asarray(Image.open(io.BytesIO(archive.read(f"{name}.png"))).convert("RGB"))
        ground = [int(SHADES["paper"][1][at : at + 2], 16) for at in (1, 3, 5)]
        assert picture[0, 0].tolist() == ground and (picture != ground).any(axis=2).mean() > 0.001


def test_colours_are_plain_and_a_hole_stays_a_hole():
    for dark in (False, True):
        spec = whole(FEW, dark)
        assert "light-dark" not in str(spec) and spec["encoding"]["color"]["scale"]["range"][0] == CLUSTERS[0][dark]
        assert [row["x"] for row in spec["data"]["values"]] == [0.0, 2.0, None]


def test_a_name_cannot_end_the_script_of_a_saved_page():
    """A class of this name ran in the page that a visitor had saved."""
    hostile = "</script><script>alert(1)</script><!--\u2028<img src=x onerror=alert(2)>"
    chart = projection_chart(
        np.zeros((2, 2)), np.array([0, 1]), (hostile, "b"), ("across", hostile.replace("\u2028", "\u2028\n"))
    )
    spec = whole(chart)
    written, plain = page(spec), page({"mark": "point"})
    for piece in ("</script", "<script", "<!--", "<img"):
        assert written.count(piece) == plain.count(piece), piece
    start = written.rindex("const spec = ") + len("const spec = ")
    assert json.JSONDecoder().raw_decode(written, start)[0] == spec, "and yet the chart says all it said"
    drawing = zipfile.ZipFile(io.BytesIO(charts_zip({"one": chart}))).read("one.svg")
    assert not [
        mark for mark in ElementTree.fromstring(drawing).iter() if mark.tag.endswith(("script", "image", "foreignObject"))
    ]
