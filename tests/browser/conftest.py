"""The app on a free port and a real Chromium, each started once; where there is no browser, these tests say so."""

import os
import shutil

import pytest

from tests.browser.serving import served

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE_MS = 60_000


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium, driven by playwright."""
    binary = shutil.which("chromium")
    if binary is None:
        message = "there is no chromium on this machine (Debian: apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium, tmp_path_factory):
    """The address of the running app; asked for after the browser, so that a skip starts nothing."""
    with served(tmp_path_factory.mktemp("server")) as (address, _):
        yield address


@pytest.fixture
def page(chromium, server):
    """A fresh tab at desktop width, with nothing remembered."""
    yield from _tab(chromium, server, width=1280, height=900)


@pytest.fixture
def phone(chromium, server):
    """A fresh tab at the width of a phone."""
    yield from _tab(chromium, server, width=390, height=844)


def _tab(browser, address, width, height, **options):
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=address, **options)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()
