"""The app on a free port and a real Chromium, each started once; where there is no browser, these tests say so."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STARTED_WITHIN = 90
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
    port = _free_port()
    folder = tmp_path_factory.mktemp("server")
    log = folder / "log.txt"
    environment = {**os.environ, "LEASC_RUNS": str(folder / "runs"), "LEASC_CACHE": str(folder / "cache")}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", str(port)]
    with log.open("w") as stream:
        process = subprocess.Popen(command, cwd=ROOT, stdout=stream, stderr=subprocess.STDOUT, env=environment)
    address = f"http://localhost:{port}"
    try:
        _wait_until_healthy(address, process, log)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


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


def _free_port():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


def _wait_until_healthy(address, process, log):
    deadline = time.monotonic() + STARTED_WITHIN
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the app did not start within {STARTED_WITHIN} s:\n{log.read_text()}")
