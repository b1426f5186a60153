"""A browser that is slow to load what draws a widget: its first value must reach it all the same."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke

pytestmark = pytest.mark.browser


@pytest.fixture
def late(page):
    """Sliders that come when ``late()`` is called."""
    held = []
    page.route(re.compile(r"/static/js/Slider\..*\.js"), lambda route: held.append(route))

    def let_go():
        assert held, "nobody asked for sliders"
        for each in held:
            each.continue_()

    return let_go


def test_sliders_that_load_late_show_what_is_chosen(page, late):
    """A click before they are there draws the page again; they must not come up at their lowest."""
    page.goto("/Data?way=sample&sample=four_lines")
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Model")).click()
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()
    idle(page)
    page.get_by_role("button", name=re.compile("Take .* at random")).click()
    expect(page.locator(".st-key-room_representatives_ready")).to_be_visible()
    idle(page)
    late()
    expect(page.locator(".st-key-train_hidden")).to_contain_text("500")
    page.get_by_role("button", name=re.compile("Start")).click()
    expect(page.locator(".st-key-room_model_ready")).to_contain_text("500 hidden units")
    expect(page).not_to_have_url(re.compile("alpha_bar|hidden|epochs"))
    nothing_broke(page)


def test_sliders_of_the_data_page_too(page, late):
    page.goto("/Data?way=make&subspaces=6&points=30")
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("180 points")
    idle(page)
    page.get_by_text("Is this subspace data?").click()
    page.locator(".st-key-look_closer").get_by_text("Features").click()
    expect(page).to_have_url(re.compile("look=features"))
    idle(page)
    late()
    expect(page.locator(".st-key-data_make_subspaces")).to_contain_text("6")
    page.locator(".st-key-look_closer").get_by_text("First rows").click()
    expect(page).not_to_have_url(re.compile("look="))
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("180 points")
    expect(page).to_have_url(re.compile("subspaces=6&points=30"))
    nothing_broke(page)
