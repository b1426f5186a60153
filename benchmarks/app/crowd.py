"""What much data and many visitors do to the app: a million points, memory a visitor, ten who train at once."""

import re
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from leasc_ui.frame.page import PAGES, exists

from .stage import app, chromium, go, nothing_broke, tab, wait_until_idle, wait_until_there

RESPONSIVE = 1.5
POINTS, FEATURES, SUBSPACES = 1_000_000, 20, 10
WIDGETS = {
    "Representatives": ".st-key-representatives_count input[type=range]",
    "Train": ".st-key-train_beta input[type=range]",
}
VISITORS, EARLIER = 10, 2
CLUSTERED_WITHIN_MS = 600_000


def million(quick):
    """A million points from the server's folder: each page, and a widget on it, until everything is drawn."""
    from leasc_core.data.synthetic.large import write_union_of_subspaces

    points = POINTS // 10 if quick else POINTS
    with tempfile.TemporaryDirectory(prefix="leasc-app-") as folder:
        path = Path(folder) / "data" / "many.npy"
        path.parent.mkdir()
        write_union_of_subspaces(path, points, SUBSPACES, 3, FEATURES, 0.02, 0)
        with app(folder, LEASC_DATA=str(path.parent)) as (address, process), chromium() as browser:
            with tab(browser, address) as page:
                rows = [load(page, points), *visits(page), *clustered(page, points)]
            rows += [another_visitor(browser, address, process, points)]
    return rows


def load(page, points):
    """Open the file on the Data page."""
    begun = time.perf_counter()
    page.goto("/Data?way=file&file=many.npy")
    page.locator(".st-key-room_data_ready").get_by_text(f"{points:,} points").first.wait_for()
    page.get_by_text(re.compile(f"Showing [0-9,]+ of {points:,}")).first.wait_for()
    page.locator(".st-key-data_spectrum svg.marks").wait_for()
    wait_until_idle(page)
    return f"{points:,} × {FEATURES} points: read, cleaned and drawn by a fresh server", time.perf_counter() - begun, None, "s"


def visits(page):
    """Seconds of two visits of each page, in turn, and of a change there; the first visit may compute what it shows."""
    rows, seconds = [], {}
    pages = [label for path, (label, _) in PAGES.items() if exists(path)]
    for turn in ("first", "later"):
        for name in pages:
            seconds[name, turn] = visit(page, name)
            if turn == "later" and name in WIDGETS:
                seconds[name, "widget"] = change(page, WIDGETS[name])
            assert nothing_broke(page), f"{name} shows an error"
    for name in pages:
        title, drawn = seconds[name, "later"]
        first = seconds[name, "first"][1]
        rows.append((f"… {name}: title after {title:.2f} s, all drawn (first visit: {first:.2f} s)", drawn, RESPONSIVE, "s"))
        if name in WIDGETS:
            rows.append((f"… {name}: a slider moved, all drawn", seconds[name, "widget"], RESPONSIVE, "s"))
    return rows


def clustered(page, points):
    """All points clustered by a run, then the page that shows them, and a cluster selected in it."""
    visit(page, "Cluster")
    begun = time.perf_counter()
    page.locator(".st-key-begin button").first.click()
    page.locator(".st-key-exports").wait_for(timeout=CLUSTERED_WITHIN_MS)
    wait_until_idle(page)
    seconds = time.perf_counter() - begun
    visit(page, "Home")
    title, drawn = visit(page, "Cluster")
    page.get_by_text(re.compile(f"Showing [0-9,]+ of {points:,}")).first.wait_for()
    page.locator(".st-key-sizes .mark-rect path").first.click()
    page.locator(".st-key-selection").wait_for()
    wait_until_idle(page)
    selected = page.evaluate("(performance.now() - window.pressed) / 1000")
    assert nothing_broke(page), "Cluster shows an error"
    return [
        (f"… {points:,} points chosen from, trained on, coded, clustered and looked at", seconds, None, "s"),
        (f"… Cluster with all of these: title after {title:.2f} s, all drawn", drawn, RESPONSIVE, "s"),
        ("… Cluster: a cluster selected, its codes, helpers and rows drawn", selected, RESPONSIVE, "s"),
    ]


def visit(page, name):
    """Click the menu: seconds until the title of the page is there, and until all is drawn and nothing is running."""
    page.locator(".st-key-bar").get_by_role("link", name=name, exact=True).click()
    wait_until_there(page, name)
    seen = page.evaluate("(performance.now() - window.pressed) / 1000")
    wait_until_idle(page)
    return seen, page.evaluate("(performance.now() - window.pressed) / 1000")


def change(page, slider):
    """Move a slider one step; seconds until the script has run and all is drawn."""
    page.evaluate("window.noteRuns()")
    page.locator(slider).press("ArrowRight")
    page.wait_for_function("window.runs > 0")
    wait_until_idle(page)
    return page.evaluate("(performance.now() - window.pressed) / 1000")


def another_visitor(browser, address, process, points):
    """Memory of one more visitor with the same points."""
    before = process.memory_info().rss
    with tab(browser, address) as page:
        load(page, points)
        grown = (process.memory_info().rss - before) / 1e6
    return f"… memory of one more visitor with the same {points:,} points", grown, None, "MB"


def memory(quick):
    """How much the server grows by visitors with 800 points of their own, who stay; nothing is shared but the libraries."""
    count = 3 if quick else VISITORS
    with tempfile.TemporaryDirectory() as folder, app(folder) as (address, process), chromium() as browser, ExitStack() as tabs:
        # The first visitors wake the libraries and fill what the server keeps for all.
        for seed in range(EARLIER):
            look_at_own_points(tabs.enter_context(tab(browser, address)), seed)
        before = process.memory_info().rss
        for seed in range(EARLIER, EARLIER + count):
            look_at_own_points(tabs.enter_context(tab(browser, address)), seed)
        grown = (process.memory_info().rss - before) / 1e6 / count
    return [
        (f"Memory of a visitor with 800 points of their own, mean of {count}", grown, None, "MB"),
        (f"… of the server with its libraries and {EARLIER} visitors", before / 1e6, None, "MB"),
    ]


def look_at_own_points(page, seed):
    """Points of that seed on the Data page, then the usual representatives of them."""
    page.goto(f"/Data?way=make&seed={seed}")
    page.locator(".st-key-data_spectrum svg.marks").wait_for()
    wait_until_idle(page)
    visit(page, "Representatives")
    page.locator(".st-key-chance svg.marks").wait_for()
    wait_until_idle(page)


def ten(quick):
    """Visitors with points of their own number and dimension, who all train at once; each must end with its own."""
    count = 3 if quick else VISITORS
    with tempfile.TemporaryDirectory() as folder, app(folder) as (address, _), chromium() as browser, ExitStack() as tabs:
        pages = [tabs.enter_context(tab(browser, address)) for _ in range(count)]
        sizes = [(4 * (100 + 20 * number), 10 + number) for number in range(count)]
        for page, (points, features) in zip(pages, sizes, strict=True):
            come_with_data(page, points, features)
        begun = time.perf_counter()
        for page in pages:
            page.get_by_role("button", name="Start").click()
        for page in pages:
            page.locator(".st-key-run").get_by_text("Done:").first.wait_for()
        seconds = time.perf_counter() - begun
        own = sum(has_own(page, *size) for page, size in zip(pages, sizes, strict=True))
    return [
        (f"{count} visitors train at once: finished, with their own data", own, count, f"of {count}"),
        ("… until the last one is done", seconds, None, "s"),
    ]


def come_with_data(page, points, features):
    """Make points, take the usual representatives, and stand on the Train page."""
    page.goto(f"/Data?way=make&points={points // 4}&ambient={features}")
    page.locator(".st-key-room_data_ready").first.wait_for()
    wait_until_idle(page)
    go(page, "model")
    wait_until_there(page, "Train")
    wait_until_idle(page)
    page.locator(".st-key-take_default button").first.click()
    page.locator(".st-key-room_representatives_ready").first.wait_for()
    page.locator(".st-key-train_variant").get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("as few helpers as possible")).click()
    page.wait_for_url(re.compile("variant=l1"))
    wait_until_idle(page)


def has_own(page, points, features):
    """Whether the strip names this visitor's points and a finished model, and the Data page draws just these points."""
    page.locator(".st-key-room_model_ready").first.wait_for()
    strip = page.locator(".st-key-room_data_ready").first.inner_text()
    go(page, "data")
    wait_until_there(page, "Data")
    page.locator(".st-key-data_points svg.marks").wait_for()
    wait_until_idle(page)
    drawn = page.locator(".st-key-data_points svg.marks .mark-symbol path").count()
    return f"{points:,} points × {features} features" in strip and drawn == points and nothing_broke(page)
