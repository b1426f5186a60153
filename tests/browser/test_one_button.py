"""From Home to clusters: every demo in one click with nothing set, one's own file, the map, and a stop that is answered."""

import re
import time

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke, tile

pytestmark = pytest.mark.browser

LONG = 240_000
DEMOS = {"Four lines": 4, "Moving objects": 5, "Shapes under light": 8, "Digits": 10}
DEMOS |= {"Cell counts": 5, "Sentences": 5, "Sensor states": 4, "Corrupted": 5}


def finished(page):
    expect(page.locator(".st-key-exports")).to_be_visible(timeout=LONG)
    expect(page.locator(".st-key-map canvas")).to_be_visible()
    idle(page)


@pytest.mark.parametrize("demo", DEMOS)
def test_a_demo_ends_on_its_clusters_with_nothing_set(page, demo):
    page.goto("/")
    page.get_by_role("button", name=re.compile(f"^.*{demo}")).click()
    finished(page)
    nothing_broke(page)
    count = int(tile(page, "Clusters").inner_text())
    accuracy = float(tile(page, "Accuracy").inner_text().removesuffix(" %"))
    assert abs(count - DEMOS[demo]) <= 1 and accuracy >= 90, (count, accuracy)
    assert page.url.split("?")[0].endswith("/Cluster") and "how=" not in page.url


@pytest.fixture
def table(tmp_path):
    """A table as people have them: semicolons, commas, a number of each row, words, units far apart, gaps."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(3), 60)
    centres = np.array([[0, 0, 5, 1], [4, -2, 0, 6], [-4, 5, -4, -3]])
    values = (centres[group] + rng.normal(size=(180, 4)) * 0.5) * [1, 1000, 0.01, 1]
    frame = pd.DataFrame(values, columns=["weight", "price (€)", "share", "age"])
    frame.insert(0, "customer", np.arange(1001, 1181))
    frame["town"] = rng.choice(["Łódź", "São Paulo", "Köln"], 180)
    frame.loc[5, "share"] = np.nan
    frame.to_csv(tmp_path / "customers 2026.csv", sep=";", decimal=",", index=False, encoding="utf-8-sig")
    return tmp_path / "customers 2026.csv", group


def test_ones_own_file_from_home_to_clusters_and_the_map(page, table):
    file, group = table
    page.goto("/")
    expect(page.locator(".st-key-home_upload")).to_contain_text("CSV")
    page.locator(".st-key-home_upload input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("180 points × 4 features")
    idle(page)
    page.locator(".st-key-find_clusters button").click()
    finished(page)
    nothing_broke(page)
    expect(page.locator(".st-key-why_this")).to_contain_text("table of mixed units")
    assert tile(page, "Clusters").inner_text() == "3"
    keys = page.locator(".pointmap .key")
    assert sorted(int(re.search(r", (\d+)", text).group(1)) for text in keys.all_inner_texts()) == [60, 60, 60]
    box = page.locator(".st-key-map canvas").bounding_box()
    lasso(page, box)
    expect(page.locator(".pointmap .facts")).to_contain_text("selected")
    idle(page)
    said = int(re.match(r"\d+", page.locator(".pointmap .facts").inner_text()).group())
    expect(page.locator(".st-key-selection_head")).to_contain_text(f"{said} points")
    keys.nth(1).click()
    expect(page.locator(".pointmap .key.off")).to_have_count(2)
    keys.nth(2).click(modifiers=["Shift"])
    expect(page.locator(".pointmap .key.off")).to_have_count(1)
    page.locator(".pointmap [data-tool=reset]").click()
    expect(page.locator(".pointmap .key.off")).to_have_count(0)
    expect(page.locator(".st-key-nothing_selected")).to_be_visible()


def lasso(page, box):
    """A line around the middle half of the map."""
    page.locator(".pointmap [data-tool=lasso]").click()
    corners = [(0.02, 0.02), (0.9, 0.05), (0.95, 0.6), (0.5, 0.95), (0.05, 0.7), (0.02, 0.04)]
    page.mouse.move(box["x"] + corners[0][0] * box["width"], box["y"] + corners[0][1] * box["height"])
    page.mouse.down()
    for across, down in corners[1:]:
        page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"], steps=4)
    page.mouse.up()


def test_a_stop_is_answered_within_a_second(page):
    page.goto("/")
    page.get_by_role("button", name=re.compile("Shapes under light")).click()
    stop = page.locator(".st-key-stop_run button")
    expect(stop).to_be_visible()
    page.wait_for_timeout(6000)
    begun = time.monotonic()
    stop.click()
    expect(page.locator(".st-key-halted")).to_be_visible()
    assert time.monotonic() - begun < 3, "a second to end, and the page's own clock"
    expect(page.get_by_role("button", name=re.compile("Resume"))).to_be_visible()
