"""After the button, as a person does it: profiles, edits and undo, reloads, a restart, and a project opened elsewhere."""

import re
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke, tile
from tests.browser.conftest import _tab
from tests.browser.serving import served

pytestmark = pytest.mark.browser
ROW = 35
# Finding the number of clusters takes a while.
PATIENCE = 240_000


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Four states of a machine, in units, with the name of each row's machine."""
    rng, path = np.random.default_rng(5), tmp_path_factory.mktemp("file") / "machines.csv"
    state = rng.integers(0, 4, 600)
    middles = np.array([[21, 101.3, 0.4, 40], [-8, 101.3, 0.1, 80], [65, 101.3, 5.2, 12], [22, 98.0, 2.5, 55]])
    values = middles[state] + np.array([2, 0.05, 0.1, 4]) * rng.normal(size=(600, 4))
    frame = pd.DataFrame(values, columns=["temp °C", "pressure kPa", "vibration mm/s", "humidity %"])
    frame["machine"] = np.where(state == 2, "press", rng.choice(["saw", "drill"], 600))
    frame.to_csv(path, index=False)
    return path


def bring(page, file, count, address=""):
    """Upload the file, ask for so many clusters, wait for them."""
    page.goto(f"{address}/Data?way=file")
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    idle(page)
    page.locator(".st-key-bar").get_by_role("link", name="Cluster").click()
    expect(page.locator(".st-key-settings")).to_be_visible()
    idle(page)
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    expect(page).to_have_url(re.compile("how=given"))
    number = page.locator(".st-key-cluster_clusters input")
    number.fill(str(count))
    number.press("Enter")
    idle(page)
    page.get_by_role("button", name=re.compile("Find the clusters")).click()
    there(page)


def there(page):
    expect(page.locator(".st-key-export_project button").first).to_be_visible(timeout=PATIENCE)
    idle(page)


def pick(page, *rows):
    """Tick rows of the table of clusters."""
    table = page.locator(".st-key-profiles canvas").first
    expect(table).to_be_visible()
    page.wait_for_timeout(1000)  # the table is drawn anew after an edit
    table.evaluate(
        "table => table.scrollIntoView({block: 'center', behavior: 'instant'})"
    )  # at an edge the click would scroll it away
    page.wait_for_timeout(300)
    box = table.bounding_box()
    for row in rows:
        page.mouse.click(box["x"] + 18, box["y"] + ROW * (row + 1) + ROW / 2)
        idle(page)
    expect(page.locator(".st-key-profile_cluster")).to_be_visible()


def taken(page, key):
    with page.expect_download() as waiting:
        page.locator(f".st-key-{key} button").first.click()
    return waiting.value.path().read_bytes()


def edit(page, file):
    """Name one cluster, merge two others."""
    pick(page, 0)
    name = page.get_by_role("textbox", name="Name")
    name.fill("the first")
    name.press("Enter")
    expect(page.get_by_text("Called cluster 1 “the first”").first).to_be_visible()
    idle(page)
    pick(page, 1, 2)
    page.get_by_role("button", name="Merge into one").click()
    expect(tile(page, "Clusters")).to_have_text("3")
    idle(page)


def test_profiles_edits_reloads_and_a_second_tab(chromium, file, tmp_path):
    with served(tmp_path) as (address, _):
        for page in _tab(chromium, address, width=1280, height=2000, accept_downloads=True):
            bring(page, file, 4)
            frame = pd.read_csv(file)
            labels = pd.read_csv(BytesIO(taken(page, "export_csv")))["label"]
            profiles = pd.read_csv(BytesIO(taken(page, "export_profiles")))
            means = frame.drop(columns="machine").groupby(labels.to_numpy()).mean()
            for column in means:
                np.testing.assert_allclose(profiles[f"mean {column}"], means[column], rtol=1e-6)
            edit(page, file)
            after = pd.read_csv(BytesIO(taken(page, "export_csv")))
            page.get_by_role("button", name="Undo edit").click()
            expect(tile(page, "Clusters")).to_have_text("4")
            idle(page)
            page.reload()
            there(page)
            expect(tile(page, "Clusters")).to_have_text("4")
            page.get_by_role("button", name="Redo edit").click()
            expect(tile(page, "Clusters")).to_have_text("3")
            other = page.context.new_page()
            other.goto("/Cluster")
            there(other)
            expect(tile(other, "Clusters")).to_have_text("3")
            pd.testing.assert_frame_equal(pd.read_csv(BytesIO(taken(other, "export_csv"))), after)
            nothing_broke(other)


def test_a_project_opens_on_another_machine_and_a_restart_loses_nothing(chromium, file, tmp_path):
    here, there_folder = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there_folder.mkdir()
    context = chromium.new_context(viewport={"width": 1280, "height": 2000}, accept_downloads=True)
    context.set_default_timeout(120_000)
    page = context.new_page()
    with served(here) as (address, _):
        bring(page, file, 4, address)
        pick(page, 0)
        page.get_by_role("textbox", name="Name").fill("the first")
        page.get_by_role("textbox", name="Name").press("Enter")
        expect(page.get_by_text("Called cluster 1 “the first”").first).to_be_visible()
        idle(page)
        labels = taken(page, "export_csv")
        project = tmp_path / "machines.leascproj"
        project.write_bytes(taken(page, "export_project"))
    cookies = context.cookies()
    with served(here) as (address, _):
        back = chromium.new_context(viewport={"width": 1280, "height": 2000}, accept_downloads=True)
        back.add_cookies(cookies)
        page = back.new_page()
        page.goto(f"{address}/Cluster")
        there(page)
        assert taken(page, "export_csv") == labels, "a restart loses nothing"
        back.close()
    context.close()
    with served(there_folder) as (address, _):
        for fresh in _tab(chromium, address, width=1280, height=2000, accept_downloads=True):
            fresh.goto("/")
            fresh.get_by_text("Open a project").click()
            fresh.locator(".st-key-open_project input[type=file]").set_input_files(project)
            there(fresh)
            assert taken(fresh, "export_csv") == labels
            expect(fresh.get_by_text("Called cluster 1 “the first”").first).to_be_visible()
            nothing_broke(fresh)
