"""What the pictures of the tour answer to a hand, held against the core: drawn is what is computed."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.spatial.distance import cdist

from leasc_ui.screens.example.compute import ExampleSettings, run_example
from leasc_ui.screens.tour.digits import sorted_by
from leasc_ui.screens.tour.lines import BOX, CLOSE, lines, paper_example
from leasc_ui.screens.tour.linked import IDEAS, TERM
from leasc_ui.screens.tour.registry import steps
from leasc_ui.screens.tour.steps.algorithm import film
from leasc_ui.screens.tour.steps.expression import codes, representatives
from leasc_ui.screens.tour.steps.representatives import RepresentativesSettings, choose

pytestmark = pytest.mark.browser
UNITS = 640
STYLES = "(parts, names) => parts.map(part => names.map(name => getComputedStyle(part)[name]))"


def opened(page, step, **address):
    """The step, once its picture stands and nothing runs."""
    page.goto("/Tour?" + "&".join(f"{name}={value}" for name, value in {"step": step, **address}.items()))
    plane = page.locator(".st-key-tour_picture :is(svg.plane, canvas)").first
    expect(plane).to_be_visible()
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    return plane


def on_screen(plane, box, place):
    """Where a place of the plane is on the screen."""
    frame = plane.bounding_box()
    scale = frame["width"] / (box[1] - box[0])
    return frame["x"] + (place[0] - box[0]) * scale, frame["y"] + (box[3] - place[1]) * scale


def drawn_points(plane, box):
    """The places of all points, read off the drawing."""
    marks = plane.locator("g.points path").evaluate_all("all => all.map(each => each.getAttribute('transform'))")
    units = np.array([[float(number) for number in re.findall(r"-?[\d.]+", mark)[:2]] for mark in marks])
    scale = UNITS / (box[1] - box[0])
    return np.column_stack([box[0] + units[:, 0] / scale, box[3] - units[:, 1] / scale])


def test_a_line_is_dragged_and_the_points_follow(page):
    plane = opened(page, "problem")
    angle = lines(20, 0.5, 0).directions[0]
    page.mouse.move(*on_screen(plane, BOX, 3.8 * angle))
    page.mouse.down()
    page.mouse.move(*on_screen(plane, BOX, 3.8 * lines(40, 0.5, 0).directions[0]), steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("angle=40"))
    np.testing.assert_allclose(drawn_points(plane, BOX), lines(40, 0.5, 0).points, atol=0.01)
    expect(page.locator(".st-key-tour_problem_angle input")).to_have_value("40")


def test_a_click_adds_a_representative_and_the_uncovered_are_counted(page):
    points, _ = paper_example()
    usual = RepresentativesSettings()
    plane = opened(page, "representatives")
    chosen = choose(usual.selector, usual.count)
    loneliest = int(cdist(points, points[chosen]).min(axis=1).argmax())
    page.mouse.click(*on_screen(plane, CLOSE, points[loneliest]))
    expect(page).to_have_url(re.compile(f"toggled={loneliest}$"))
    far = cdist(points, points[[*chosen, loneliest]]).min(axis=1)
    note = page.locator(".tour .note")
    expect(note).to_contain_text(f"{usual.count + 1} representatives")
    expect(note).to_contain_text(f"{np.count_nonzero(far > usual.radius)} of 800")
    expect(note).to_contain_text(f"ρ = {far.max():.2f}")


def test_arrows_are_the_code_of_the_point_that_is_clicked(page):
    opened(page, "expression")
    expect(page.locator(".tour .four")).to_be_hidden()  # it would tell the answer
    plane = opened(page, "expression", guess="l1")
    rows = representatives()
    page.mouse.click(*on_screen(plane, CLOSE, paper_example()[0][rows[3]]))
    expect(page).to_have_url(re.compile("point=3"))
    page.get_by_role("button", name=re.compile("elastic net .* own line")).click()
    expect(page).to_have_url(re.compile("norm=elastic_net"))
    code = np.abs(codes("elastic_net", False)[3])
    expect(plane.locator("g.arrows path")).to_have_count(int((code > 0.02 * code.max()).sum()))
    widths = plane.locator("g.arrows path").evaluate_all("all => all.map(each => Number(each.getAttribute('stroke-width')))")
    shown = np.sort(code[code > 0.02 * code.max()])
    np.testing.assert_allclose(np.sort(widths), 0.6 + 9 * shown / code.max(), atol=0.02)


def test_the_film_of_algorithm_2_is_played_stepped_and_broken(page):
    opened(page, "algorithm")
    page.get_by_role("button", name="One line on").click()
    expect(page.locator(".tour .listing li.lit")).to_contain_text("proximal step")
    page.get_by_role("button", name="One line on").click()
    expect(page.locator(".tour .listing li.lit")).to_contain_text("Q ←")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    trace = film("l1", "none").trace
    page.get_by_role("slider", name="Iteration").press("End")
    note = page.locator(".tour .note")
    expect(note).to_contain_text(f"Iteration {len(trace.steps)} of {len(trace.steps)}")
    expect(note).to_contain_text("It stops, content.")
    expect(page).to_have_url(re.compile(f"at={4 * len(trace.steps)}"))
    page.locator(".st-key-tour_algorithm_broken").get_by_text("Sign").click()
    expect(page).to_have_url(re.compile("broken=sign"))
    page.get_by_role("slider", name="Iteration").press("End")
    expect(note).to_contain_text("It has diverged.")


def test_any_place_has_the_code_that_the_core_gives_it(page):
    plane = opened(page, "function")
    run = run_example(ExampleSettings())
    for place in ((-0.5, 2.0), (2.0, -0.5)):
        x, y = on_screen(plane, CLOSE, place)
        page.mouse.move(x, y)
        expect(page.locator(".tour .note")).to_contain_text(f"At ({place[0]:.2f}")
        # The pixel the pointer is on, not the place that was aimed at.
        where = np.array([float(number) for number in re.findall(r"-?\d+\.\d+", page.locator(".tour .note").inner_text())])
        code = run.network((where / np.linalg.norm(where))[None])[0]
        bars = page.locator(".tour svg.bars rect").evaluate_all(
            "all => all.map(each => [Number(each.getAttribute('y')), Number(each.getAttribute('height'))])"
        )
        signs = np.where(np.array(bars)[:, 0] < 45 - 1e-9, 1, -1)
        drawn = signs * np.array(bars)[:, 1] * np.abs(run.codes).max() / 42
        np.testing.assert_allclose(drawn, code, atol=0.02 * np.abs(code).max())


def pointed_at(page, part):
    """Move over the middle of a part; False where another part lies over it."""
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    return part.evaluate("part => part.matches(':hover')")


def test_the_lines_move_by_themselves_at_first(page):
    plane = opened(page, "problem")
    seen = {tuple(drawn_points(plane, BOX)[0])}
    for _ in range(12):
        page.wait_for_timeout(200)
        seen.add(tuple(drawn_points(plane, BOX)[0]))
    assert len(seen) > 2, "within five seconds something moves"
    page.wait_for_timeout(2000)
    np.testing.assert_allclose(drawn_points(plane, BOX), lines(20, 0.5, 0).points, atol=0.01)


def test_a_word_its_symbol_and_its_marks_light_up_together(page):
    opened(page, "representatives")
    page.wait_for_selector(".katex [style*='rgb(201, 92, 16)']")
    parts = {
        "word": (".story .lit-representatives", "background-color"),
        "symbol": (".katex-html [style*='rgb(201, 92, 16)']", "background-color"),
        "mark": (".tour .points .chosen", "stroke"),
    }

    def looks():
        return [
            page.locator(selector).first.evaluate("(part, name) => getComputedStyle(part)[name]", name)
            for selector, name in parts.values()
        ]

    page.mouse.move(5, 5)
    dark = looks()
    for selector, _ in parts.values():
        assert any(pointed_at(page, each) for each in page.locator(selector).all()), "one lies below no other"
        page.wait_for_timeout(300)
        lit = looks()
        assert all(now != before for now, before in zip(lit, dark, strict=True)), (selector, lit)
        page.mouse.move(5, 5)
        page.wait_for_timeout(300)
        assert looks() == dark


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.name)
def test_every_idea_lights_its_words_its_symbols_and_its_marks(page, step):
    page.goto(f"/Tour?step={step.name}&guess={step.answers[0]}")
    expect(page.locator(".st-key-tour_picture :is(svg, canvas, img)").first).to_be_visible()
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".st-key-tour_story .katex").first).to_be_visible()
    page.mouse.move(5, 5)
    for name in {name: None for _, name in TERM.findall(step.story)}:
        idea = IDEAS[name]
        shade = "rgb({}, {}, {})".format(*idea.colour)
        page.locator(f".story .lit-{name}").first.hover()
        marks = page.locator(", ".join([*idea.marks, *idea.frames]))
        looks = (
            "parts => parts.map(part => getComputedStyle(part)).map(look => [look.stroke, look.outlineColor + look.outlineStyle])"
        )
        lit = marks.evaluate_all(looks)
        assert any(shade in stroke or outline == f"{shade}solid" for stroke, outline in lit), (name, len(lit))
        backs = "parts => parts.map(part => getComputedStyle(part).backgroundColor)"
        symbols = page.locator(f".katex-html [style*='{shade}']").evaluate_all(backs)
        assert any("0.24" in back for back in symbols), (name, symbols)


def test_the_last_step_sorts_real_pictures_and_takes_a_file_of_ones_own(page, tmp_path):
    opened(page, "function", variant="l1")
    page.goto("/Tour?step=yours&guess=most")
    title = page.locator(".matrices figcaption")
    expect(title).to_contain_text(f"{100 * sorted_by('leasc').accuracy:.0f} % right")
    page.locator(".st-key-tour_yours_method").get_by_text("K-means").click()
    expect(title).to_contain_text(f"K-means, a row a cluster: {100 * sorted_by('kmeans').accuracy:.0f} % right")
    own = tmp_path / "own.csv"
    own.write_text("a,b,c\n" + "\n".join(f"{i},{i * i % 7},{i % 5}" for i in range(40)))
    page.locator("input[type=file]").set_input_files(own)
    expect(page.get_by_role("heading", level=1, name="Data")).to_be_visible()
    expect(page.get_by_text("own.csv").first).to_be_visible()
