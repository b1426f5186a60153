"""Clustering as a person does it: from a demo to downloaded labels, a selection that reaches other views, and a closed tab."""

import os
import re
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke
from tests.browser.conftest import _tab
from tests.browser.serving import served

pytestmark = pytest.mark.browser

LARGE = 48_000
LATER = "Coding every point|Placing the cluster centres|Asking other draws"
# The number that stands in the form, and so not in the address.
USUAL = 4


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Folders of this test's own server, with one large file that visitors may open."""
    folder = tmp_path_factory.mktemp("studio")
    rng = np.random.default_rng(0)
    bases = rng.standard_normal((4, 3, 32)).astype(np.float32)
    (folder / "data").mkdir()
    points = np.concatenate([rng.standard_normal((LARGE // 4, 3), dtype=np.float32) @ basis for basis in bases])
    np.save(folder / "data" / "large.npy", points)
    return folder


@pytest.fixture(scope="module")
def studio(chromium, home):
    """The address of a server that keeps its runs in ``home``."""
    with served(home, LEASC_DATA=str(home / "data")) as (address, _):
        yield address
        assert "Traceback" not in (home / "server.log").read_text()


@pytest.fixture
def tab(chromium, studio):
    yield from _tab(chromium, studio, width=1280, height=900, accept_downloads=True)


def to_clusters(page):
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Clusters")).click()
    expect(page.get_by_role("heading", name="Cluster", exact=True)).to_be_visible()
    expect(page.locator(".st-key-settings")).to_be_visible()
    idle(page)


def cluster(page, count):
    """Ask for so many clusters and leave the rest to the run; it is done when the downloads are there."""
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    expect(page).to_have_url(re.compile("how=given"))
    number = page.locator(".st-key-cluster_clusters input")
    number.fill(str(count))
    number.press("Enter")
    expect(page).to_have_url(re.compile(f"clusters={count}" if count != USUAL else "how=given$"))
    idle(page)
    page.get_by_role("button", name=re.compile("Find the clusters")).click()


def drawn(page):
    expect(page.locator(".st-key-map canvas")).to_be_visible()
    expect(page.locator(".st-key-exports")).to_be_visible()
    idle(page)


def runs(home):
    """The folders of all runs, oldest first."""
    return sorted(home.glob("runs/*/runs/*"), key=lambda folder: folder.name)


def downloaded(page, name):
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value.suggested_filename, Path(waiting.value.path())


def test_from_a_demo_to_downloaded_labels(tab, home):
    tab.goto("/Data?way=sample&sample=digits")
    expect(tab.locator(".st-key-room_data_ready")).to_be_visible()
    idle(tab)
    to_clusters(tab)
    cluster(tab, 10)
    drawn(tab)
    nothing_broke(tab)
    expect(tab.locator(".st-key-room_clusters_ready")).to_contain_text("10 clusters")
    labels = np.load(runs(home)[-1] / "labels.npy", allow_pickle=False)
    name, path = downloaded(tab, "Labels, CSV")
    table = pd.read_csv(path)
    assert name == "digits-labels.csv" and table["row"].tolist() == list(range(1797))
    assert np.array_equal(table["label"], labels) and table["name"].nunique() == 10
    name, path = downloaded(tab, "Labels, Parquet")
    assert name == "digits-labels.parquet" and np.array_equal(pd.read_parquet(path)["label"], labels)
    name, path = downloaded(tab, "Model, .leasc")
    assert name == "digits.leasc" and path.read_bytes() == (runs(home)[-1] / "model.leasc").read_bytes()
    name, path = downloaded(tab, "Report, HTML")
    assert name == "digits-report.html" and str(home) not in path.read_text("utf-8")


def test_a_selection_changes_the_other_views_and_leaves_its_source_alone(tab, home):
    tab.goto("/Data?way=make&preset=independent_planes")
    expect(tab.locator(".st-key-data_points svg.marks")).to_be_visible()
    idle(tab)
    to_clusters(tab)
    cluster(tab, 4)
    drawn(tab)
    tab.evaluate("document.querySelector('.st-key-map canvas').dataset.old = 'yes'")
    box = tab.locator(".st-key-map canvas").bounding_box()
    drag(tab, box, (0.12, 0.05), (0.95, 0.5))
    selection, said = tab.locator(".st-key-selection"), tab.locator(".st-key-selection_head")
    expect(selection.locator("[class*=st-key-other_] svg.marks")).to_be_visible()
    expect(selection.locator(".st-key-chosen_codes image")).to_be_visible()
    idle(tab)
    first, codes = said.inner_text(), tab.locator(".st-key-chosen_codes image").get_attribute("href")
    assert tab.locator(".st-key-map canvas").get_attribute("data-old") == "yes", "the map itself is not drawn anew"
    name, path = downloaded(tab, "Export just these")
    count = int(re.search(r"([\d,]+) points", first).group(1).replace(",", ""))
    assert name == "made-points-selected-labels.csv" and len(pd.read_csv(path)) == count and 0 < count < 800
    other = 2 if "of cluster 2" in first else 1
    tab.locator(".st-key-sizes .mark-rect path").nth(other).click()
    size = np.bincount(np.load(runs(home)[-1] / "labels.npy", allow_pickle=False))[other]
    expect(said).to_contain_text(f"{size} points: {size} of cluster {other + 1}")
    tab.wait_for_function("old => document.querySelector('.st-key-chosen_codes image').getAttribute('href') !== old", arg=codes)
    tab.get_by_role("button", name="Clear", exact=True).click()
    expect(selection).to_have_count(0)
    nothing_broke(tab)


def drag(page, box, start, end):
    """Draw a box from one place of a picture to another, as shares of its width and height."""
    places = [(box["x"] + across * box["width"], box["y"] + down * box["height"]) for across, down in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=4)
    page.mouse.up()


def test_a_run_at_full_scale_outlives_its_tab(chromium, studio, home):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, base_url=studio)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto("/Data?way=file&file=large.npy")
    expect(page.locator(".st-key-room_data_ready")).to_contain_text(f"{LARGE:,} points")
    idle(page)
    to_clusters(page)
    cluster(page, 4)
    live = page.locator(".st-key-live")
    expect(live).to_contain_text(re.compile("Placing landmarks|" + LATER))
    folder = runs(home)[-1]
    worker = int((folder / "lock").read_text())
    assert "--resume" in Path(f"/proc/{worker}/cmdline").read_text(), "a process of its own, not the server"
    page.locator(".st-key-rate svg.marks").evaluate("drawing => { drawing.dataset.old = 'yes' }")
    expect(live).to_contain_text(re.compile(LATER))
    expect(page.locator(".st-key-rate svg.marks")).to_have_attribute("data-old", "yes")
    os.kill(worker, signal.SIGSTOP)
    try:
        page.close()
        page = context.new_page()
        page.goto("/Cluster")
        expect(page.locator(".st-key-live")).to_contain_text("You may close this tab")
        expect(page.get_by_text("large.npy is being clustered")).to_be_visible()
        stranger = chromium.new_context(base_url=studio).new_page()
        stranger.goto("/Cluster")
        expect(stranger.get_by_text("nothing to cluster yet")).to_be_visible()
        idle(stranger)
        expect(stranger.get_by_text("large.npy")).to_have_count(0)
        stranger.context.close()
    finally:
        os.kill(worker, signal.SIGCONT)
    drawn(page)
    nothing_broke(page)
    assert np.load(folder / "labels.npy", mmap_mode="r").shape == (LARGE,)
    context.close()
