"""The tour in a real browser: walked from end to end by clicking, and opened by a link for a class."""

import re

import pytest
from playwright.sync_api import expect

from leasc_ui.screens.tour.registry import steps

pytestmark = pytest.mark.browser
TOUR = "/Tour"


def stands(page, step):
    """The step's title and its picture are there, and nothing of the step before is left."""
    expect(page.get_by_role("heading", level=1, name=step.title)).to_be_visible()
    expect(page.locator(".st-key-tour_picture :is(svg, canvas, img)").first).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-testid=stException],[data-testid=stAlertContentError]")).to_have_count(0)


def answer(page):
    """Pick the first answer; what was computed appears."""
    page.locator(".st-key-tour_question button").first.click()
    expect(page.locator(".st-key-tour_truth")).to_contain_text("You said")
    expect(page).to_have_url(re.compile("guess="))


def test_the_whole_tour_by_clicking(page):
    page.goto("/")
    page.get_by_role("link", name="Take the tour").click()
    for number, step in enumerate(steps(), 1):
        stands(page, step)
        answer(page)
        if number < len(steps()):
            page.get_by_role("button", name="Next").click()
            expect(page).to_have_url(re.compile(f"step={steps()[number].name}"))
    page.get_by_role("link", name="All of it on one page").click()
    expect(page.get_by_role("heading", level=1, name="Four lines")).to_be_visible()


def test_a_link_for_a_class_opens_the_same_in_a_fresh_browser(page, chromium, server):
    first = steps()[0]
    page.goto(TOUR)
    stands(page, first)
    page.get_by_role("button", name="Nearly one line").click()
    expect(page).to_have_url(re.compile("angle=8"))
    answer(page)
    page.get_by_role("button", name="Link for a class").click()
    link = page.locator("[data-testid=stCode]").inner_text().strip()
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    other = context.new_page()
    other.goto(link)
    stands(other, first)
    expect(other.locator(".st-key-tour_problem_angle input")).to_have_value("8")
    expect(other.locator(".st-key-tour_truth")).to_have_text(page.locator(".st-key-tour_truth").text_content())
    context.close()
