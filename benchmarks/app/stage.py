"""The stage of the app's benchmarks: the app on a free port, a real Chromium, and what the browser notes down by itself."""

import shutil
import tempfile
from contextlib import contextmanager

import psutil

from tests.browser.serving import served

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    # Ten visitors share this browser; it must not put nine of them to sleep as tabs that nobody looks at.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]
PATIENCE_MS = 180_000

# What the browser notes down, in its own clock: when something was first on the screen, when a key was pressed or a mouse button
# went down, and when the drawings that are watched changed.
NOTES = """
window.firsts = {};
window.noteFirst = (name, selector) => {
  const look = () => {
    const found = document.querySelector(selector);
    if (found && found.getClientRects().length && found.innerText) {
      requestAnimationFrame(() => setTimeout(() => { window.firsts[name] = performance.now(); }));
    } else { requestAnimationFrame(look); }
  };
  look();
};
window.watch = (selector) => {
  window.watched = [...document.querySelectorAll(selector)];
  window.changes = [];
  window.observer?.disconnect();
  window.observer = new MutationObserver(() => { window.changes.push(performance.now()); });
  window.watched.forEach(each => window.observer.observe(each, {childList: true, subtree: true, attributes: true}));
};
window.noteRuns = () => {
  const app = document.querySelector('[data-testid=stApp]');
  window.runs = 0;
  window.runObserver?.disconnect();
  window.runObserver = new MutationObserver(() => { window.runs += 1; });
  window.runObserver.observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
};
for (const kind of ["keydown", "pointerdown"]) {
  window.addEventListener(kind, () => { window.pressed = performance.now(); }, true);
}
"""
HEADLINES = {"Home": "h1.lede", "Tour": ".st-key-tour_board"}
IDLE = "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"


@contextmanager
def app(folder, *script, **environment):
    """The app, from a fresh process until the block ends: gives its address and its psutil.Process."""
    with served(folder, *script, **environment) as (address, process):
        yield address, psutil.Process(process.pid)


@contextmanager
def chromium():
    """A fresh browser with an empty cache."""
    from playwright.sync_api import expect, sync_playwright

    binary = shutil.which("chromium")
    if binary is None:
        raise SystemExit("There is no chromium on this machine (Debian: apt-get install chromium).")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def tab(browser, address):
    """A fresh visitor with one tab, at the width of a desk."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=address)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(NOTES)
    yield context.new_page()
    context.close()


@contextmanager
def only_visitor(*script):
    """The one tab of a fresh browser, on a fresh server."""
    with (
        tempfile.TemporaryDirectory() as folder,
        app(folder, *script) as (address, _),
        chromium() as browser,
        tab(browser, address) as page,
    ):
        yield page


def go(page, room):
    """To a room's page, by the strip; while a page is drawn there may be an old strip beside the new."""
    page.locator(f"[class*=st-key-room_{room}_] a").first.click()


def wait_until_there(page, name):
    """On the page of that name, as soon as its title stands; some have no title of that name."""
    own = HEADLINES.get(name)
    headline = page.locator(own) if own else page.get_by_role("heading", name=name, exact=True, level=1)
    headline.first.wait_for()


def wait_until_idle(page):
    page.wait_for_function(IDLE)


def nothing_broke(page):
    """Whether the page shows no error."""
    return page.locator("[data-testid=stException],[data-testid=stAlertContentError]").count() == 0
