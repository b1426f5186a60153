"""What a person does with the first pages, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import nothing_broke, tile

pytestmark = pytest.mark.browser

PAGE = "/Four_lines"
DOTS = ".st-key-points svg.marks .mark-symbol path"


def wait_until_drawn(page):
    """The last chart stands, and nothing is running any more."""
    expect(page.locator(".st-key-times svg.marks")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


OVERFLOW = """Math.max(...[document.documentElement, document.querySelector('[data-testid=stMain]')]
    .map(element => element.scrollWidth - element.clientWidth))"""


def overflow(page):
    """By how many pixels the page is wider than the window."""
    return page.evaluate(OVERFLOW)


def test_home_leads_to_the_example_and_fetches_nothing_from_elsewhere(page, server):
    elsewhere = []
    page.on(
        "request", lambda request: None if request.url.startswith((server, "data:", "blob:")) else elsewhere.append(request.url)
    )
    page.goto("/")
    expect(page.get_by_role("heading", name=re.compile("Find the groups in your data"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Points on four rays"))).to_be_visible()
    assert overflow(page) == 0
    page.get_by_role("link", name="See it on one page: four lines").click()
    wait_until_drawn(page)
    nothing_broke(page)
    expect(page.locator(".strip .ready")).to_have_count(4)
    expect(page.locator(DOTS)).to_have_count(800 + 2 * 88)
    expect(tile(page, "Accuracy")).to_have_text("100.0 %")
    assert elsewhere == []


def test_slider_and_variant_redraw_in_place(page):
    page.goto(PAGE)
    wait_until_drawn(page)
    page.evaluate("document.querySelectorAll('svg.marks').forEach(drawing => drawing.dataset.old = 'yes')")
    codes = page.locator(".st-key-solved_codes image")

    before = codes.get_attribute("href")
    page.locator(".st-key-example_representatives input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(DOTS)).to_have_count(800 + 2 * 92)
    expect(page.locator(".legend")).to_contain_text("representatives, 92")
    expect(codes).not_to_have_attribute("href", before)
    assert page.locator("svg.marks[data-old]").count() == page.locator("svg.marks").count() == 5

    before = codes.get_attribute("href")
    page.locator(".st-key-example_variant").get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("as few helpers as possible")).click()
    expect(page.locator(".strip")).to_contain_text("ℓ1")
    expect(page.locator(".st-key-objective svg.marks")).to_be_visible()
    expect(codes).not_to_have_attribute("href", before)
    expect(page).to_have_url(re.compile(r"\?representatives=92&variant=l1$"))
    expect(page.locator(".st-key-points svg.marks")).to_have_attribute("data-old", "yes")
    nothing_broke(page)


def test_a_link_gives_the_same_view_to_someone_else(page):
    page.goto(f"{PAGE}?noise=3&representatives=40&seed=5")
    wait_until_drawn(page)
    seen = tile(page, "Accuracy").inner_text()
    link = page.url
    other = page.context.browser.new_context().new_page()
    other.goto(link)
    wait_until_drawn(other)
    expect(tile(other, "Accuracy")).to_have_text(seen)
    expect(other.locator(".legend")).to_contain_text("representatives, 40")
    other.context.close()


def test_what_cannot_be_done_is_said_in_a_sentence(page):
    page.goto(f"{PAGE}?representatives=4&clusters=8")
    expect(page.get_by_test_id("stAlertContentError")).to_contain_text("n_clusters=8")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.get_by_role("button", name="Reset").click()
    expect(tile(page, "Accuracy")).to_have_text("100.0 %")
    nothing_broke(page)


def test_a_phone_shows_everything_without_scrolling_sideways(phone):
    phone.goto(PAGE)
    wait_until_drawn(phone)
    assert overflow(phone) == 0
    settings, codes = (phone.locator(f".st-key-{name}").bounding_box() for name in ("settings", "codes"))
    assert settings["y"] < codes["y"], "on a phone the settings stand right under the points"
    phone.goto("/")
    expect(phone.get_by_role("img", name=re.compile("Points on four rays"))).to_be_visible()
    assert overflow(phone) == 0


def test_dark_and_light_follow_the_visitor_at_once(page):
    page.emulate_media(color_scheme="dark")
    page.goto(PAGE)
    wait_until_drawn(page)
    shade = "(dot => dot && getComputedStyle(dot).fill)(document.querySelector('.st-key-points svg.marks .mark-symbol path'))"
    dark = page.wait_for_function(shade).json_value()
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"(shade => shade && shade !== '{dark}')({shade})")
