"""What many tests look for on a page."""

from playwright.sync_api import expect


def idle(page):
    """Wait until no script runs."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def nothing_broke(page):
    """Neither a traceback nor an error is shown."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def tile(page, label):
    """The number of a tile."""
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")
