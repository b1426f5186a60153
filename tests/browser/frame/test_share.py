"""A link in a fresh browser gives the same view: the same data, model and clusters, the same map, the same selection."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import idle, nothing_broke
from tests.browser.test_cluster import cluster, downloaded, drag, drawn, to_clusters
from tests.browser.test_data import SAMPLE_FOLDER

pytestmark = pytest.mark.browser


def selection(page):
    """What is selected in words, and exactly which rows."""
    head = page.locator(".st-key-selection_head")
    expect(head).to_be_visible()
    idle(page)
    return head.get_by_text(re.compile("points")).first.inner_text(), downloaded(page, "Export just these")[1].read_bytes()


def test_a_link_to_clusters_gives_the_same_map_and_selection(page, chromium, server):
    page.goto("/Data?way=make&preset=independent_planes&points=60&seed=3")
    expect(page.locator(".st-key-data_points svg.marks")).to_be_visible()
    idle(page)
    to_clusters(page)
    cluster(page, 4)
    drawn(page)
    page.locator(".st-key-cluster_view").get_by_text("PCA").click()
    expect(page).to_have_url(re.compile("view=pca"))
    idle(page)
    page.locator(".st-key-cluster_colour").get_by_role("combobox").click()
    page.get_by_role("option", name="Colour: Known classes").click()
    expect(page).to_have_url(re.compile("view=pca&colour=classes"))
    idle(page)
    expect(page.locator(".pointmap .key").first).to_contain_text("subspace 1")
    drag(page, page.locator(".st-key-map canvas").bounding_box(), (0.15, 0.1), (0.6, 0.8))
    expect(page).to_have_url(re.compile("picked=box"))
    seen = selection(page)

    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(60_000)
    other = context.new_page()
    other.goto(page.url)
    drawn(other)
    assert selection(other) == seen
    expect(other.locator(".pointmap .key").first).to_contain_text("subspace 1")
    expect(other.locator(".pointmap .across")).to_contain_text("1st principal axis")
    expect(other.locator(".st-key-room_clusters_ready")).to_contain_text("4 clusters")
    expect(other.locator(".pointmap .facts")).to_have_text(page.locator(".pointmap .facts").inner_text())
    assert other.url == page.url
    other.get_by_role("button", name="Clear", exact=True).click()
    expect(other.locator(".st-key-selection")).to_have_count(0)
    expect(other).not_to_have_url(re.compile("picked"))
    nothing_broke(other)
    context.close()


def test_a_link_to_a_file_that_was_uploaded_says_that_it_is_private(page):
    page.goto("/Cluster?data.way=file&how=given&clusters=3")
    expect(page.get_by_test_id("stAlertContentWarning")).to_contain_text("private")
    nothing_broke(page)


def test_a_reload_in_a_browser_that_was_here_before_shows_the_same(page):
    """Such a browser interrupts the first run with what it remembers; what the link shows is made all the same."""
    page.goto("/Data?way=make&preset=independent_planes&points=60&seed=3")
    expect(page.locator(".st-key-room_data_ready")).to_be_visible()
    idle(page)
    to_clusters(page)
    cluster(page, 3)
    drawn(page)
    for _ in range(2):
        address = page.url
        page.reload()
        drawn(page)
        expect(page.locator(".st-key-room_clusters_ready")).to_contain_text("3 clusters")
        assert page.url == address
    nothing_broke(page)


def test_the_settings_of_a_link_to_an_upload_wait_for_the_file(page, tmp_path):
    page.goto(
        "/Cluster?data.way=file&data.clean_standardise=yes&representatives.selector=kmeans&train.variant=l1&how=given&clusters=3"
    )
    expect(page.get_by_test_id("stAlertContentWarning")).to_contain_text("the settings of the link are kept")
    idle(page)
    page.locator(".st-key-bar").get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("radio", name="Your file").click()
    page.locator("input[type=file]").set_input_files(SAMPLE_FOLDER / "four_lines.csv")
    expect(page.locator(".st-key-room_data_ready")).to_contain_text("800 points")
    expect(page).to_have_url(re.compile("clean_standardise=yes"))
    idle(page)
    page.locator(".st-key-rooms").get_by_role("link", name=re.compile("^Representatives")).click()
    expect(page.locator(".st-key-room_representatives_ready")).to_contain_text("K-means")
    idle(page)
    to_clusters(page)
    expect(page.locator(".st-key-cluster_clusters input")).to_have_value("3")
    page.locator(".st-key-bar").get_by_role("link", name="Train").click()
    expect(page).to_have_url(re.compile("variant=l1"))
    nothing_broke(page)
