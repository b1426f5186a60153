"""Every page on a phone in the dark, and a connection that drops: nothing sticks out, nothing is lost."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from leasc_ui.frame.page import PAGES
from leasc_ui.frame.theme import SHADES
from tests.browser.acts import idle, nothing_broke
from tests.browser.conftest import _tab
from tests.browser.test_four_lines import OVERFLOW

pytestmark = pytest.mark.browser

KEEP_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket { constructor(...given) { super(...given); window.sockets.push(this); } };
"""


@pytest.fixture
def dark_phone(chromium, server):
    yield from _tab(chromium, server, width=390, height=844, color_scheme="dark")


def test_every_page_fits_a_phone_in_the_dark(dark_phone):
    page = dark_phone
    page.goto("/Data?way=sample&sample=digits")
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    ground = [int(SHADES["paper"][1][at : at + 2], 16) for at in (1, 3, 5)]
    for label, _ in PAGES.values():
        page.locator(".st-key-bar").get_by_role("link", name=label, exact=True).click()
        expect(page).to_have_title(re.compile(f"^{label} ·|^LeaSC Studio$"))
        idle(page)
        nothing_broke(page)
        # What is left of the page before may still be there for a moment; a page that is too wide stays so.
        page.wait_for_function(f"{OVERFLOW} === 0")
        pixels = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)
        dark = (np.abs(pixels - ground) < 24).all(axis=2).mean()
        assert 0.3 < dark < 0.995, f"{label}: {100 * dark:.0f} % of the screen is dark"
    shown = [link.bounding_box() for link in page.locator(".st-key-bar a").all()]
    assert len(shown) == len(PAGES) and all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in shown), "the whole menu"


def test_a_dropped_connection_loses_nothing(page):
    page.add_init_script(KEEP_SOCKETS)
    page.goto("/Data?way=make&points=30")
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("120 points")
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Representatives")).click()
    expect(page.locator(".st-key-room_representatives_ready")).to_be_visible()
    idle(page)
    page.evaluate("window.sockets.forEach(socket => socket.close())")
    page.wait_for_function("window.sockets.length > 1 && window.sockets.at(-1).readyState === 1")
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Model")).click()
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("120 points")
    expect(page.locator(".st-key-room_representatives_ready")).to_be_visible()
    nothing_broke(page)
