"""The Theory page as a reader uses it: one click to an example, every statement, the paper's own numbers, a link, a phone."""

import re

import pytest
from playwright.sync_api import expect

from leasc_ui.screens.theory.settings import SECTIONS
from tests.browser.acts import tile

pytestmark = pytest.mark.browser

CHARTS = {
    "picks": ("theory_chance",),
    "radius": ("theory_covered",),
    "contraction": ("theory_bounds_distance", "theory_plane"),
    "subspaces": ("theory_affinity",),
    "cost": ("theory_costs",),
}


def drawn(page, section):
    """Its charts stand, nothing runs, nothing broke."""
    for chart in CHARTS[section]:
        expect(page.locator(f".st-key-{chart} svg.marks")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def overflow(page):
    return page.get_by_test_id("stMain").evaluate("element => element.scrollWidth - element.clientWidth")


def test_every_statement_is_one_click_away_and_the_papers_example_is_exact(page):
    page.goto("/Theory")
    page.get_by_role("button", name="Show it on four lines").click()
    drawn(page, "picks")
    page.get_by_role("button", name="The paper’s example").click()
    expect(tile(page, "Every subspace met")).to_have_text("98.8 %")
    expect(page.get_by_text("1820/1843").first).to_be_visible()
    for section, name in list(SECTIONS.items())[1:]:
        page.get_by_role("radio", name=name).click()
        expect(page).to_have_url(re.compile(f"section={section}"))
        drawn(page, section)
    page.get_by_role("radio", name=SECTIONS["contraction"]).click()
    drawn(page, "contraction")
    expect(page.get_by_text("holds for all of them").first).to_be_visible()
    expect(page.get_by_text("where one is it promises nothing").first).to_be_visible()
    assert page.locator(".st-key-theory_bounds_distance .mark-symbol path").count() == 800 - 88, "a mark for every point but 88"
    assert page.locator(".st-key-theory_bounds_distance .mark-line path").count() == 3, "flattest, typical and steepest bound"


def test_a_link_gives_the_same_view_to_someone_else_also_on_a_phone(phone):
    phone.goto("/Theory?on=lines&sizes=900%2C+90%2C+10&picks=100")
    drawn(phone, "picks")
    expect(tile(phone, "Subspaces")).to_have_text("3")
    expect(tile(phone, "Certain from")).to_have_text("991")
    for section in ("contraction", "cost"):
        phone.goto(f"/Theory?on=lines&section={section}")
        drawn(phone, section)
        assert overflow(phone) == 0
