"""``python docs/gallery.py``: walks through the app in headless Chromium, takes the pictures of ``docs/gallery/``, and writes
``docs/gallery.md``, which shows them.

Home, clusters, the example and every step of the tour at 1280 pixels, the tour in the dark too and at the width of a phone;
each the first take. ``light``, ``dark`` and ``phone`` limit the looks, ``tour`` takes the tour alone, ``words`` writes the
page alone.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from leasc_ui.screens.tour.registry import steps  # noqa: E402
from tests.browser.serving import served  # noqa: E402

SHELF, PAGE = ROOT / "docs" / "gallery", ROOT / "docs" / "gallery.md"
WORDS = {
    "home": "**Home**: your own file first, or a sample set with one click.",
    "cluster": "**Cluster**: the verdict, the map, profiles, edits, and what can be taken away.",
    "four_lines": "**Four lines**: the paper’s example on one page.",
}
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 300_000
EXACT = 128
LOOKS = {"light": ("light", 1280, 900), "dark": ("dark", 1280, 900), "phone": ("light", 390, 844)}


def page_of_all():
    """The words of ``docs/gallery.md``."""
    told = [
        "# What it looks like",
        "Taken by `python docs/gallery.py` from *Shapes under light*, one of the sample sets.",
        "## Home and clusters",
    ]
    told += [part for name, words in WORDS.items() for part in (words, f"![{name}](gallery/{name}_light.png)")]
    told += ["## The tour"]
    for number, step in enumerate(steps(), 1):
        told += [f"**{number} · {step.title}.** {step.sentence}", _shown(f"tour_{number}_{step.name}")]
    first = steps()[0].name
    phones = [f"![{name} on a phone](gallery/{name}_phone.png){{ width=240 }}" for name in (f"tour_1_{first}", "tour_10_yours")]
    return "\n\n".join([*told, "## On a phone", "\n".join(phones)]) + "\n"


def _shown(name):
    """The picture that goes with the reader's own light."""
    return "\n".join(f"![{name.replace('_', ' ')}, {look}](gallery/{name}_{look}.png#only-{look})" for look in ("light", "dark"))


def main(looks, parts):
    SHELF.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, served(folder) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for look in looks:
            scheme, width, height = LOOKS[look]
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, base_url=address)
            context.set_default_timeout(PATIENCE)
            for part in parts:
                if look == "light" or part is tour:
                    part(context.new_page(), look)
            context.close()
        browser.close()


def walk(page, look):
    """Home, a sample set that is clustered with one click, and the example on one page."""
    page.goto("/")
    take(page, look, "home")
    page.get_by_role("button", name=re.compile("Shapes under light")).click()
    expect(page.locator(".st-key-exports")).to_be_visible()
    take(page, look, "cluster", most=1440)
    page.goto("/Four_lines")
    take(page, look, "four_lines")


def tour(page, look):
    """Every step, its answer revealed and its presets untouched; the film of Algorithm 2 in the middle."""
    for number, step in enumerate(steps(), 1):
        page.goto(f"/Tour?step={step.name}&guess={step.answers[0]}{'&at=160' if step.name == 'algorithm' else ''}")
        page.locator(".st-key-tour_picture :is(svg, canvas, img)").first.wait_for()
        take(page, look, f"tour_{number}_{step.name}")


def still(page):
    """Nothing runs, and nothing has moved for a while."""
    page.wait_for_timeout(700)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_timeout(1500)


def take(page, look, name, most=4000):
    still(page)
    page.mouse.move(1, 1)
    page.evaluate("document.querySelector('.stMain').scrollTo(0, 0)")
    parts = "[...document.querySelectorAll('.stMain, .stMainBlockContainer')]"
    height = page.evaluate(f"Math.max(...{parts}.map(part => part.scrollHeight))")
    size = page.viewport_size
    page.set_viewport_size({"width": size["width"], "height": min(int(height) + 20, most)})
    still(page)
    path = SHELF / f"{name}_{look}.png"
    page.screenshot(path=path)
    few_colours(Image.open(path).convert("RGB")).save(path, optimize=True)
    page.set_viewport_size(size)
    print(path.relative_to(ROOT), f"{path.stat().st_size / 1e3:.0f} kB", flush=True)


def few_colours(picture):
    """The picture in 256 colours: its most frequent ones, those of the page itself, stay as they are."""
    frequent = [colour for _, colour in sorted(picture.getcolors(picture.width * picture.height), reverse=True)[:EXACT]]
    rest = picture.quantize(256 - len(frequent), Image.Quantize.MAXCOVERAGE).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in frequent for part in colour] + rest[: 3 * (256 - len(frequent))])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    PAGE.write_text(page_of_all(), encoding="utf-8")
    if "words" not in sys.argv:
        named = [look for look in LOOKS if look in sys.argv] or list(LOOKS)
        main(named, [tour] if "tour" in sys.argv else [walk, tour])
