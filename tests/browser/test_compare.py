"""Comparing as a person does: rows that come in, cancel and resume, a baseline's labels in Cluster, a cell that loads."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle

pytestmark = pytest.mark.browser
# A worker wakes its libraries first, which a busy machine takes its time for.
WORKER_MS = 240_000


def begin(page):
    expect(page.locator(".st-key-compare_begin button")).to_be_enabled()
    idle(page)
    page.locator(".st-key-compare_begin button").click()


def done(page, at_least, total):
    """Wait until so many rows are there; says how many."""
    bar = page.locator(".st-key-compare_live [data-testid=stProgress]")
    numbers = "|".join(str(count) for count in range(at_least, total + 1))
    expect(bar).to_contain_text(re.compile(rf"\b({numbers}) of {total}\b"), timeout=WORKER_MS)
    return int(re.search(r"(\d+) of", bar.inner_text()).group(1))


def test_rows_come_in_and_can_be_cancelled_resumed_and_opened(page):
    # None of these needs torch, so that a worker is soon awake.
    total = 60
    page.goto("/Compare?data=moving_objects&methods=lsr.tsc.kmeans&seeds=20")
    begin(page)
    seen = done(page, 1, total)
    expect(page.locator(".st-key-compare_scatter svg.marks")).to_be_visible()
    page.evaluate("document.querySelector('.st-key-compare_scatter svg.marks').dataset.old = 'yes'")
    seen = done(page, seen + 2, total)
    assert page.locator(".st-key-compare_scatter svg.marks").get_attribute("data-old") == "yes", "the drawing stays"
    page.locator(".st-key-compare_stop button").click()
    halted = page.locator(".st-key-compare_halted")
    expect(halted).to_contain_text("Cancelled")
    kept = int(re.search(r"(\d+) of", halted.inner_text()).group(1))
    assert seen <= kept < total
    halted.get_by_role("button", name="Resume").click()
    assert done(page, kept + 1, total) > kept
    page.locator(".st-key-compare_stop button").click()
    expect(halted).to_be_visible()
    idle(page)
    open_first_row(page)
    expect(page.locator(".st-key-external")).to_contain_text(re.compile("Labels of (LSR|TSC|K-means)"))
    expect(page.locator(".st-key-map canvas")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def open_first_row(page):
    """Click the box at the left of the first line; a grid is drawn on a canvas."""
    grid = page.locator(".st-key-compare_table .dvn-scroller")
    expect(grid).to_be_visible()
    grid.scroll_into_view_if_needed()
    grid.click(position={"x": 17, "y": 36 + 17})
    opened = page.locator(".st-key-compare_open button")
    expect(opened).to_be_visible()
    idle(page)
    opened.click()


def test_a_clicked_cell_loads_its_parameters_and_undo_returns(page):
    page.goto("/Compare?view=sweep&data=four_lines&variant=f2&down=epochs&down_values=1&across_values=5%2C+20&draws=1")
    begin(page)
    cells = page.locator(".st-key-sweep_chart g.mark-rect").nth(1).locator("path")
    expect(page.locator(".st-key-sweep_downloads")).to_be_visible(timeout=WORKER_MS)
    idle(page)
    expect(cells).to_have_count(2)
    cells.nth(1).click()
    loaded = page.locator(".st-key-compare_loaded")
    expect(loaded).to_contain_text("epochs = 1, β = 20")
    expect(page).to_have_url(re.compile("view=sweep"))
    page.locator(".st-key-bar").get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("button", name=re.compile("Four lines")).first.click()
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Model")).click()
    beta = page.locator(".st-key-train_beta")
    expect(beta).to_contain_text("20")
    page.locator(".st-key-bar").get_by_role("link", name="Compare").click()
    page.locator(".st-key-compare_view").get_by_text("Sweep").click()
    loaded.get_by_role("button", name="Undo").click()
    expect(loaded).to_have_count(0)
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Model")).click()
    expect(beta).to_be_visible()
    expect(beta).not_to_contain_text("20")
