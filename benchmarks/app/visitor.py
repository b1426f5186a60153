"""What one visitor feels: the first paint, a slider, a training that is watched, and its stop."""

import re
import tempfile
from pathlib import Path
from statistics import median

from .stage import go, nothing_broke, only_visitor, wait_until_idle

PLAIN = 'import streamlit as st\n\nst.title("An empty page")\n'
FIRST_PAGES = {"home": ("/", "h1.lede"), "Data": ("/Data", "h1"), "Four lines": ("/Four_lines", "h1")}
SLIDERS = {
    "Four lines": ("/Four_lines", "example_representatives", "points"),
    "Data, make": ("/Data?way=make", "data_make_noise", "data_points"),
}
FIRST_PAINT, NEW_PICTURE, UPDATES, STOP = 2.0, 0.5, 2.0, 1.0
WATCHED_SECONDS = 6
# Changes of one drawing that are nearer to each other than this belong to one update.
ONE_UPDATE_MS = 60


def paint(quick):
    """The title on the screen, from the press of Enter in the address bar of a fresh browser, the server being just up."""
    rounds, rows = 1 if quick else 3, []
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.py"
        plain.write_text(PLAIN, encoding="utf-8")
        floor = [first_title("/", "h1", plain) for _ in range(rounds)]
    rows.append((f"First paint: an empty Streamlit page, {of(floor)}", median(floor), None, "s"))
    for name, (path, title) in FIRST_PAGES.items():
        seconds = [first_title(path, title) for _ in range(rounds)]
        rows.append((f"First paint: {name}, {of(seconds)}", median(seconds), FIRST_PAINT, "s"))
    return rows


def first_title(path, title, *script):
    """Seconds until the title is painted."""
    with only_visitor(*script) as page:
        page.add_init_script(f"window.noteFirst('title', '{title}')")
        page.goto(path, wait_until="commit")
        page.wait_for_function("'title' in window.firsts")
        return page.evaluate("window.firsts.title") / 1000


def slider(quick):
    """From the key press to the last change of the picture of the 800 points."""
    rows = []
    with only_visitor() as page:
        for name, (path, key, chart) in SLIDERS.items():
            page.goto(path)
            page.locator(f".st-key-{chart} svg.marks").wait_for()
            wait_until_idle(page)
            page.locator(f".st-key-{key} input[type=range]").focus()
            # The first move wakes what the first visitor of a server waits for; it is told apart.
            first, *seconds = [move(page, f".st-key-{chart} svg.marks") for _ in range(4 if quick else 11)]
            assert nothing_broke(page), f"{name} shows an error"
            words = f"Slider to new picture: {name}, {{}} of {len(seconds)} moves (the very first: {first:.2f} s)"
            rows.append((words.format("median"), median(seconds), NEW_PICTURE, "s"))
            rows.append((f"Slider to new picture: {name}, worst of {len(seconds)} moves", max(seconds), NEW_PICTURE, "s"))
    return rows


def move(page, drawing, key="ArrowRight"):
    """Press a key on the slider that has the focus; seconds until the drawing, which keeps its node, has changed for good."""
    page.evaluate("selector => window.watch(selector)", drawing)
    page.keyboard.press(key)
    page.wait_for_function("window.changes.some(time => time > window.pressed)")
    wait_until_idle(page)
    page.wait_for_function("performance.now() - window.changes.at(-1) > 300")
    assert page.evaluate("window.watched.every(each => each.isConnected)"), "the drawing was replaced"
    return page.evaluate("(window.changes.at(-1) - window.pressed) / 1000")


def training(quick):
    """Updates a second of the curve while ℓ1 codes of 800 representatives are found, and the time until stop takes effect."""
    rates, stops = [], []
    with only_visitor() as page:
        prepare_slow_training(page)
        for _ in range(1 if quick else 3):
            rates.append(watch_training(page))
            stops.append(stop(page))
        assert nothing_broke(page), "the Train page shows an error"
    return [
        (f"Live curve while training, node kept, slowest of {len(rates)} runs", min(rates), UPDATES, "/s"),
        (f"Stop takes effect, worst of {len(stops)}", max(stops), STOP, "s"),
    ]


def prepare_slow_training(page):
    """Four lines, every point a representative, ℓ1 with the largest β: many iterations."""
    page.goto("/Data?way=sample&sample=four_lines")
    page.locator(".st-key-room_data_ready").first.wait_for()
    go(page, "representatives")
    page.locator(".st-key-chance svg.marks").wait_for()
    wait_until_idle(page)
    page.locator(".st-key-representatives_count input[type=range]").focus()
    page.keyboard.press("End")
    page.locator(".st-key-room_representatives_ready").get_by_text("800 drawn at random").first.wait_for()
    go(page, "model")
    page.locator(".st-key-train_variant").get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("as few helpers as possible")).click()
    page.wait_for_url(re.compile("variant=l1"))
    page.locator(".st-key-train_beta input[type=range]").focus()
    page.keyboard.press("End")
    page.wait_for_url(re.compile("beta=1000"))
    wait_until_idle(page)


def watch_training(page):
    """Start, and count how often the curve changes in a second."""
    page.get_by_role("button", name="Start").click()
    curve = ".st-key-left_to_do svg.marks"
    page.locator(f"{curve} .mark-line path").first.wait_for()
    page.evaluate("selector => window.watch(selector)", curve)
    page.wait_for_timeout(1000 * WATCHED_SECONDS)
    assert page.evaluate("window.watched.length === 1 && window.watched[0].isConnected"), "the curve was replaced"
    assert page.locator(".st-key-room_model_running").count(), "the training was over too soon to be watched"
    changes = page.evaluate("window.changes")
    updates = sum(1 for earlier, later in zip([0, *changes], changes, strict=False) if later - earlier > ONE_UPDATE_MS)
    return updates / WATCHED_SECONDS


def stop(page):
    """Seconds from the press of Escape until the page says that the run has stopped."""
    page.keyboard.press("Escape")
    page.wait_for_function("document.querySelector('.st-key-run')?.innerText.includes('Stopped.')", polling="raf")
    seconds = page.evaluate("(performance.now() - window.pressed) / 1000")
    wait_until_idle(page)
    return seconds


def of(seconds):
    """How a median came about."""
    return f"median of {len(seconds)}, worst {max(seconds):.2f} s" if len(seconds) > 1 else "one visit"
