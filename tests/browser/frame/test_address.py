"""The address in a real browser: back and forward, and a hand that is quicker than the line."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke
from tests.browser.test_cluster import to_clusters
from tests.browser.test_data import DOTS, SAMPLE_FOLDER

pytestmark = pytest.mark.browser


class Line:
    """A connection that can be held up: what the server says meanwhile arrives when it is let go."""

    def __init__(self, page):
        self.page, self.held = page, None
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, browser):
        self.browser = browser
        browser.connect_to_server().on_message(self._arrived)

    def _arrived(self, message):
        if self.held is None:
            self.browser.send(message)
        else:
            self.held.append(message)

    def hold(self):
        self.held = []

    def wait_for(self, words, seconds=30):
        """Until the server has said this, though the browser has not heard of it."""
        until = time.monotonic() + seconds
        while not any(words in message for message in self.held):
            assert time.monotonic() < until, f"the server never said {words}"
            self.page.evaluate("new Promise(requestAnimationFrame)")

    def let_go(self):
        held, self.held = self.held, None
        for message in held:
            self.browser.send(message)


def test_back_and_forward_bring_the_choices_back(page):
    page.goto("/Data?way=make&points=20")
    expect(page.locator(DOTS)).to_have_count(80)
    idle(page)
    page.locator(".st-key-data_make_subspaces input[type=range]").press("ArrowRight")
    expect(page).to_have_url(re.compile("subspaces=5"))
    expect(page.locator(DOTS)).to_have_count(100)
    idle(page)
    page.go_back()
    expect(page.locator(DOTS)).to_have_count(80)
    expect(page).not_to_have_url(re.compile("subspaces"))
    idle(page)
    page.go_forward()
    expect(page.locator(DOTS)).to_have_count(100)
    nothing_broke(page)


def test_a_step_of_the_tour_is_a_step_back_in_the_browser(page):
    page.goto("/Tour?step=representatives")
    expect(page.get_by_role("heading", name=re.compile("^2 ·"))).to_be_visible()
    idle(page)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name=re.compile("^3 ·"))).to_be_visible()
    idle(page)
    page.go_back()
    expect(page.get_by_role("heading", name=re.compile("^2 ·"))).to_be_visible()
    nothing_broke(page)


def test_a_click_before_the_new_address_has_arrived_undoes_no_choice(page):
    """A number is typed and the next button pressed at once, on a slow line."""
    line = Line(page)
    page.goto("/Data?way=make&points=20")
    expect(page.locator(DOTS)).to_have_count(80)
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Clusters")).click()
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    expect(page).to_have_url(re.compile("how=given"))
    idle(page)
    line.hold()
    page.locator(".st-key-cluster_clusters input").fill("3")
    page.locator(".st-key-cluster_clusters input").press("Enter")
    line.wait_for(b"clusters=3")
    page.get_by_role("button", name=re.compile("Find the clusters")).click()
    line.let_go()
    expect(page.locator(".st-key-room_clusters_ready")).to_contain_text("3 clusters")
    expect(page).to_have_url(re.compile("clusters=3"))
    nothing_broke(page)


def test_back_returns_to_an_uploaded_file(page):
    page.goto("/Data?way=file")
    page.locator("input[type=file]").set_input_files(SAMPLE_FOLDER / "four_lines.csv")
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("800 points")
    idle(page)
    page.get_by_role("radio", name="Sample data").click()
    page.get_by_role("button", name=re.compile("Moving objects")).click()
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("450 points")
    idle(page)
    while "sample=" in page.url:
        page.go_back()
        idle(page)
    page.go_back()
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("800 points")
    nothing_broke(page)


def test_choices_stay_while_other_pages_are_visited(page):
    page.goto("/Data?way=make&points=20")
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    idle(page)
    to_clusters(page)
    page.locator(".st-key-cluster_how").get_by_text("I know it").click()
    expect(page).to_have_url(re.compile("how=given"))
    page.locator(".st-key-cluster_clusters input").fill("7")
    page.locator(".st-key-cluster_clusters input").press("Enter")
    expect(page).to_have_url(re.compile("clusters=7"))
    idle(page)
    for name in ("Train", "Cluster"):
        page.locator(".st-key-bar").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        idle(page)
    expect(page.locator(".st-key-cluster_clusters input")).to_have_value("7")
    expect(page).to_have_url(re.compile("clusters=7"))
    nothing_broke(page)
