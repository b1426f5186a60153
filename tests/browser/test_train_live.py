"""Training as a person watches it: curves grow in place, pictures sharpen, stop works, and one may leave and come back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke

pytestmark = pytest.mark.browser

CURVE = ".st-key-left_to_do svg.marks .mark-line path"
PICTURE = ".st-key-codes_picture img"


def go(page, room):
    """To a room's page, by the strip; while a page is drawn there may be an old strip beside the new."""
    page.locator(f"[class*=st-key-room_{room}_] a").first.click()


def four_lines(page):
    """The sample set, with representatives chosen and seen."""
    page.goto("/Data?way=sample&sample=four_lines")
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    go(page, "representatives")
    expect(page.locator(".st-key-chance svg.marks")).to_be_visible()
    idle(page)


def all_points(page):
    """Every point becomes a representative, so that training takes a while."""
    page.locator(".st-key-representatives_count input[type=range]").focus()
    page.keyboard.press("End")
    expect(page.locator(".st-key-room_representatives_ready")).to_contain_text("800 drawn at random")


def choose_sparse_codes(page, strict):
    """ℓ1 on the Train page; ``strict`` takes the largest β, which needs many iterations."""
    go(page, "model")
    page.locator(".st-key-train_variant").get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("as few helpers as possible")).click()
    expect(page).to_have_url(re.compile("variant=l1"))
    if strict:
        page.locator(".st-key-train_beta input[type=range]").focus()
        page.keyboard.press("End")
        expect(page).to_have_url(re.compile("beta=1000"))
    idle(page)


def wait_for_iteration(page, least):
    page.wait_for_function(
        """least => Number((document.querySelector('.st-key-tiles [data-testid=stMetricValue]')?.innerText || '')
            .replace(/[^0-9]/g, '') || 0) >= least""",
        arg=least,
    )


def test_while_training_the_curve_grows_in_place_and_stop_works(page):
    four_lines(page)
    all_points(page)
    choose_sparse_codes(page, strict=True)
    page.get_by_role("button", name="Start").click()
    wait_for_iteration(page, 30)
    expect(page.locator(".st-key-room_model_running")).to_be_visible()
    expect(page.locator(PICTURE)).to_be_visible()
    expect(page.locator(CURVE).first).to_be_visible()
    page.evaluate("document.querySelectorAll('.st-key-run svg.marks, .st-key-run img').forEach(each => each.dataset.old = 'yes')")
    before, picture = page.locator(CURVE).first.get_attribute("d"), page.locator(PICTURE).get_attribute("src")
    expect(page.locator(CURVE).first).not_to_have_attribute("d", before)
    expect(page.locator(PICTURE)).not_to_have_attribute("src", picture)
    assert page.locator(".st-key-run svg.marks[data-old]").count() == page.locator(".st-key-run svg.marks").count() == 4
    assert page.locator(".st-key-run img[data-old]").count() == page.locator(".st-key-run img").count() == 2

    waited = page.evaluate(
        """() => new Promise(done => {
            const start = performance.now()
            document.querySelector('.st-key-stop button').click()
            const look = () => document.querySelector('.st-key-run').innerText.includes('Stopped.')
                ? done(performance.now() - start) : requestAnimationFrame(look)
            look()
        })"""
    )
    assert waited <= 1000, f"stop took {waited:.0f} ms"
    idle(page)
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    expect(page.locator(".st-key-room_model_missing")).to_be_visible()
    assert page.locator(".st-key-run svg.marks[data-old]").count() == 4, "the drawings stay when the run is over"
    nothing_broke(page)


def test_a_shortcut_starts_it_and_afterwards_one_may_look_back(page):
    four_lines(page)
    choose_sparse_codes(page, strict=False)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".st-key-run")).to_contain_text("Done:")
    expect(page.locator(".st-key-room_model_ready")).to_be_visible()
    idle(page)
    marker = page.locator(".st-key-left_to_do svg.marks .mark-rule line[stroke-dasharray='5,4']")
    expect(marker).to_have_count(0)
    last = page.locator(PICTURE).get_attribute("src")
    page.locator(".st-key-look_back input[type=range]").focus()
    page.keyboard.press("Home")
    expect(page.locator(PICTURE)).not_to_have_attribute("src", last)
    expect(marker).to_have_count(1)
    nothing_broke(page)


def test_a_run_goes_on_while_one_looks_at_another_page(page):
    four_lines(page)
    all_points(page)
    choose_sparse_codes(page, strict=True)
    page.get_by_role("button", name="Start").click()
    wait_for_iteration(page, 10)
    go(page, "representatives")
    expect(page.locator(".st-key-chance svg.marks")).to_be_visible()
    go(page, "model")
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()
    expect(page.locator(".st-key-stop button")).to_be_enabled()
    wait_for_iteration(page, 20)
    idle(page)
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-run")).to_contain_text("Stopped.")
    nothing_broke(page)


def test_moving_the_slider_redraws_the_choice_in_place(page):
    four_lines(page)
    page.evaluate("document.querySelectorAll('svg.marks').forEach(each => each.dataset.old = 'yes')")
    page.locator(".st-key-representatives_count input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"count=85$"))
    expect(page.locator(".legend")).to_contain_text("representatives, 85")
    assert page.locator("svg.marks[data-old]").count() == page.locator("svg.marks").count() == 3
    nothing_broke(page)
