"""A messy table: uploaded, a role changed by a click and taken back, clustered, and taken away with all its columns."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from leasc_core import make_union_of_subspaces
from leasc_core.metrics import clustering_accuracy
from tests.browser.acts import idle, nothing_broke, tile

pytestmark = pytest.mark.browser

HEAD = "Kunden-Nr.;Angelegt am;Länge;Breite;Höhe;Tiefe;Gewicht;Region;Bemerkung;Webseite"
ROW = 35


def messy(folder):
    """Semicolons, decimal commas, Windows-1252; an id, a date, texts with separators, links; no label."""
    X, y = make_union_of_subspaces(3, 1, 5, 80, noise=0.01, random_state=4)
    lines = [HEAD]
    for at, row in enumerate(X):
        numbers = ";".join(f"{value:.5f}".replace(".", ",") for value in row)
        note = f'"Probe {at}; Übergabe am {at % 28 + 1}."'
        lines.append(
            f"{40210 + 3 * at};{at % 28 + 1:02d}.03.2023;{numbers};{['Nord', 'Süd', 'West'][at % 3]};{note};https://a.b/{at}"
        )
    path = folder / "Kunden.csv"
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))
    return path, X, y


def test_from_roles_to_a_table_with_clusters(page, tmp_path):
    path, X, y = messy(tmp_path)
    page.goto("/Data?way=file")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("240 points × 5 features")
    expect(page.get_by_text("Columns: 5 features")).to_be_visible()
    idle(page)
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid.locator("canvas").first).to_be_visible()
    expect(page.locator(".st-key-data_points svg.marks")).to_be_visible()
    idle(page)
    box = grid.bounding_box()
    place = {"x": box["width"] * 0.56, "y": ROW * 7 + ROW / 2}
    page.mouse.click(box["x"] + place["x"], box["y"] + place["y"])
    page.mouse.dblclick(box["x"] + place["x"], box["y"] + place["y"])
    expect(page.locator("#portal input")).to_be_visible()
    page.keyboard.type("left out")
    expect(page.locator("#portal").get_by_text("weight", exact=True)).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("240 points × 4 features")
    page.get_by_role("button", name="Undo").click()
    expect(tile(page, "Features")).to_have_text("5")
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Clusters")).click()
    expect(page.get_by_role("heading", name="Cluster", exact=True)).to_be_visible()
    idle(page)
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    page.locator(".st-key-cluster_clusters input").fill("3")
    page.locator(".st-key-cluster_clusters input").press("Enter")
    idle(page)
    page.get_by_role("button", name="Find the clusters").click()
    expect(page.locator(".st-key-exports")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Your table with clusters, CSV").click()
    back = pd.read_csv(download.value.path())
    assert list(back.columns[:10]) == HEAD.split(";") and {"cluster", "cluster name"} <= set(back.columns)
    np.testing.assert_allclose(back[["Länge", "Breite", "Höhe", "Tiefe", "Gewicht"]], np.round(X, 5), atol=1e-12)
    assert back["Bemerkung"].tolist() == [f"Probe {at}; Übergabe am {at % 28 + 1}." for at in range(240)]
    assert back["Kunden-Nr."].tolist() == [40210 + 3 * at for at in range(240)]
    assert clustering_accuracy(y, back["cluster"]) > 0.95
    nothing_broke(page)
