"""The autopilot in a real browser: it runs live, its table explains itself, accepting a row loads it everywhere, undo returns."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_autopilot_runs_live_explains_itself_is_accepted_and_undone(page):
    page.goto("/Data?way=sample&sample=four_lines")
    rooms = page.locator(".st-key-rooms")
    expect(rooms).to_contain_text("800 points × 2 features")
    page.get_by_text("Is this subspace data?").click()
    expect(page.get_by_text(re.compile("^Yes: a few others write a point"))).to_be_visible()
    expect(page.get_by_text("no labels were read")).to_be_visible()

    page.locator(".st-key-bar").get_by_role("link", name="Train").click()
    page.get_by_text("Autopilot: no labels, no idea of the number of clusters?").click()
    page.get_by_role("button", name="Find settings").click()
    live = page.locator(".st-key-autopilot")
    expect(live.get_by_text(re.compile("Counting the clusters|candidates so far|Waiting"))).to_be_visible()

    take = page.get_by_role("button", name=re.compile("Take the pick, [0-9]+ clusters"))
    expect(take).to_be_visible()
    expect(page.get_by_text(re.compile("[0-9]+ clusters: found twice from different representatives"))).to_be_visible()
    clusters = re.search("([0-9]+) clusters", take.inner_text()).group(1)
    # The table is a canvas; its headings are told to screen readers in a table of their own.
    for heading in ("Clusters", "Same again", "Stand apart", "Length"):
        expect(page.get_by_test_id("stDataFrame").locator("th", has_text=heading).first).to_be_attached()
    expect(page.get_by_text("hover over a heading to see what it means")).to_be_visible()

    take.click()
    expect(page.get_by_text(f"Loaded everywhere: {clusters} clusters")).to_be_visible()
    expect(rooms).to_contain_text("hidden units")
    expect(rooms).to_contain_text("drawn at random")
    page.locator(".st-key-bar").get_by_role("link", name="Cluster", exact=False).first.click()
    expect(page.get_by_role("spinbutton", name="Clusters")).to_have_value(clusters)

    page.locator(".st-key-bar").get_by_role("link", name="Train").click()
    page.locator(".st-key-autopilot_undo").get_by_role("button").click()
    expect(rooms).not_to_contain_text("drawn at random")
    expect(page.get_by_text("No representatives are chosen yet")).to_be_visible()
    expect(page.get_by_text("Loaded everywhere")).to_have_count(0)
