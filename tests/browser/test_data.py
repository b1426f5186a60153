"""What a person does with data, in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.acts import nothing_broke, tile

pytestmark = pytest.mark.browser

SAMPLE_FOLDER = Path(__file__).parents[2] / "sample_data"
DOTS = ".st-key-data_points svg.marks .mark-symbol path"


def test_a_sample_set_is_shown_with_its_pictures(page):
    page.goto("/Data?way=sample&sample=shapes_under_light")
    expect(page).to_have_url(re.compile(r"/Data\?way=sample&sample=shapes_under_light$"))
    expect(page.locator(DOTS)).to_have_count(960)
    expect(page.get_by_role("img", name=re.compile("pictures from the data"))).to_be_visible()
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("960 points × 1,024 features")
    nothing_broke(page)


def test_the_picture_follows_the_slider_in_place(page):
    page.goto("/Data?way=make")
    expect(page.locator(DOTS)).to_have_count(800)
    page.evaluate("document.querySelector('.st-key-data_points svg.marks').dataset.old = 'yes'")
    page.locator(".st-key-data_make_subspaces input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(DOTS)).to_have_count(1000)
    expect(page.locator(".st-key-data_points svg.marks")).to_have_attribute("data-old", "yes")
    expect(page).to_have_url(re.compile(r"subspaces=5"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(DOTS)).to_have_count(800)
    nothing_broke(page)


def test_upload_and_a_bad_file(page):
    page.goto("/Data?way=file")
    chooser = page.locator("input[type=file]")
    chooser.set_input_files({"name": "bad.npy", "mimeType": "application/octet-stream", "buffer": b"\x93NUMPY\x01\x00nothing"})
    expect(page.get_by_test_id("stAlertContentError")).to_contain_text("bad.npy")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.locator("input[type=file]").set_input_files(SAMPLE_FOLDER / "four_lines.csv")
    expect(page.locator(DOTS)).to_have_count(800)
    expect(tile(page, "Points")).to_have_text("800")
    nothing_broke(page)


def test_a_link_gives_the_same_view_to_someone_else(page):
    page.goto("/Data?way=make&preset=nearly_touching&noise=4&seed=9&clean_unit_rows=yes")
    expect(page.locator(DOTS)).to_have_count(600)
    place = page.locator(DOTS).nth(17).get_attribute("transform")
    other = page.context.browser.new_context(viewport=page.viewport_size).new_page()
    other.goto(page.url)
    expect(other.locator(DOTS).nth(17)).to_have_attribute("transform", place)
    expect(other.get_by_text("Every row gets length 1.")).to_be_visible()
    other.context.close()


def test_a_phone_shows_everything_without_scrolling_sideways(phone):
    phone.goto("/Data?way=make")
    expect(phone.locator(DOTS)).to_have_count(800)
    assert phone.get_by_test_id("stMain").evaluate("element => element.scrollWidth - element.clientWidth") == 0
    settings, closer = (phone.locator(f".st-key-{name}").bounding_box() for name in ("settings", "closer"))
    assert settings["y"] < closer["y"], "on a phone the sliders stand right under the picture"
