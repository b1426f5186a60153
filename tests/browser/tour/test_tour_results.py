"""The second half of the tour in a browser: from codes to clusters, noise, scale, failures; what is shown is what is computed."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from leasc_ui.screens.tour.clusters import clustered
from leasc_ui.screens.tour.failures import DIALS, failure
from leasc_ui.screens.tour.lines import BOX, paper_example
from leasc_ui.screens.tour.noise import explained
from leasc_ui.screens.tour.scale import TIMED

pytestmark = pytest.mark.browser
UNITS = 640
BOARD = ".st-key-tour_board"


def opened(page, step, **address):
    """The step, once nothing runs any more."""
    page.goto("/Tour?" + "&".join(f"{name}={value}" for name, value in {"step": step, **address}.items()))
    expect(page.locator(BOARD).locator(".tour svg, svg.marks, .matrices img").first).to_be_visible()
    still(page)


def still(page):
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-testid=stException],[data-testid=stAlertContentError]")).to_have_count(0)


def turn(page, key, press):
    """A key on a slider."""
    page.locator(f".st-key-{key} input[type=range]").focus()
    page.keyboard.press(press)


def test_a_point_is_found_in_both_pictures_and_every_place_has_the_colour_it_is_predicted(page):
    opened(page, "clusters", guess="every")
    plane = page.locator(f"{BOARD} svg.plane").nth(1)
    point, made = paper_example()[0][300], clustered(4, "landmarks")
    frame = plane.bounding_box()
    scale = frame["width"] / (BOX[1] - BOX[0])
    page.mouse.click(frame["x"] + (point[0] - BOX[0]) * scale, frame["y"] + (BOX[3] - point[1]) * scale)
    expect(page).to_have_url(re.compile("point="))
    expect(page.locator(f"{BOARD} g.marks circle")).to_have_count(2)
    runs = plane.locator("g.regions rect").evaluate_all(
        "all => all.map(each => [...['x', 'y', 'width'].map(name => Number(each.getAttribute(name))), each.classList[0]])"
    )
    drawn, (down, across) = np.full_like(made.regions, -1), made.regions.shape
    height = UNITS * (BOX[3] - BOX[2]) / (BOX[1] - BOX[0])
    for x, y, width, kind in runs:
        row, column, length = round(y / height * down), round(x / UNITS * across), round(width / UNITS * across)
        drawn[row, column : column + length] = int(re.search(r"group(\d)", kind)[1])
    assert np.array_equal(drawn, made.regions)
    turn(page, "tour_clusters_k", "ArrowRight")
    expect(page).to_have_url(re.compile("k=5"))
    still(page)


def test_more_corruption_gives_the_shares_that_are_computed(page):
    opened(page, "noise", guess="l1")
    turn(page, "tour_noise_amount", "ArrowRight")
    expect(page).to_have_url(re.compile("amount=3"))
    for norm in ("f2", "l21", "l1"):
        found = round(100 * explained("entries", 3, norm).removed)
        expect(page.locator(".matrices figcaption").filter(has_text=f": finds {found} %").first).to_be_visible()
    page.get_by_role("button", name="Strangers").click()
    expect(page.locator(".st-key-tour_truth")).to_have_count(0)
    expect(page.locator(".matrices img")).to_have_count(2)
    still(page)


def test_what_is_timed_are_dots_and_the_slider_moves_the_verdict(page):
    opened(page, "scale", guess="ten")
    expect(page.locator(".st-key-tour_scale_times .mark-symbol path")).to_have_count(sum(map(len, TIMED.values())))
    expect(page.get_by_text("1,000,000 points").first).to_be_visible()
    turn(page, "tour_scale_m", "End")
    expect(page.get_by_text("1,000,000,000 points").first).to_be_visible()
    page.get_by_text("Table II with these numbers").click()
    expect(page.locator(".st-key-theory_table td").filter(has_text="ENSC")).to_be_visible()
    still(page)


def test_a_failure_is_predicted_and_its_dial_mends_it(page):
    opened(page, "failures")
    page.get_by_role("button", name="Curves").click()
    expect(page).to_have_url(re.compile("case=curves"))
    page.locator(".st-key-tour_question button").first.click()
    for value, press in ((DIALS["curves"][-1], None), (DIALS["curves"][0], "Home")):
        if press:
            turn(page, "tour_failures_curves", press)
        share = round(100 * failure("curves", value).attempts[0].accuracy)
        expect(page.locator(f"{BOARD} figcaption").filter(has_text=f"{share} % right")).to_be_visible()
    expect(page.get_by_text("You may not conclude").first).to_be_visible()
    still(page)


def test_the_second_half_fits_a_phone(phone):
    for step in ("clusters", "noise", "scale", "failures", "yours"):
        opened(phone, step, guess="few" if step == "failures" else "")
        assert phone.get_by_test_id("stMain").evaluate("element => element.scrollWidth - element.clientWidth") == 0, step
