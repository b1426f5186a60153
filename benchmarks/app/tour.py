"""How quickly each step of the tour answers to a hand: what the browser does by itself, and what it asks the server for."""

from statistics import median

from leasc_ui.screens.tour.registry import steps

from .stage import nothing_broke, only_visitor, wait_until_idle

ANSWER = 0.5
PICTURE = ".st-key-tour_picture"
DRAWN = f"{PICTURE} :is(svg, canvas, img)"


def press(selector):
    """An arrow key on something that takes the focus, to and fro, so that no end is reached."""

    def act(page, turn):
        page.locator(selector).first.focus()
        page.keyboard.press(("ArrowRight", "ArrowLeft")[turn % 2])

    return act


def choose(key, *words):
    """The next of these choices of a control."""
    return lambda page, turn: page.locator(f".st-key-{key}").get_by_text(words[turn % len(words)], exact=True).first.click()


def click(selector):
    return lambda page, _: page.locator(selector).first.click()


def somewhere(act):
    """The pointer at a place of the plane that is another one every time."""

    def go(page, turn):
        frame = page.locator(f"{PICTURE} svg.plane").first.bounding_box()
        page.evaluate("window.pressed = performance.now()")
        act(page.mouse, frame["x"] + (0.2 + 0.05 * turn) * frame["width"], frame["y"] + 0.4 * frame["height"])

    return go


# What is done at a step, besides the first slider of its controls: words, how, and whether the browser answers by itself.
DEEDS = {
    "representatives": [
        ("another selector", choose("tour_representatives_selector", "DS3", "K-means", "Random"), False),
        ("drag the radius", press(".tour .dial input"), True),
    ],
    "expression": [
        ("walk to another point", press(f"{PICTURE} svg.plane"), True),
        ("another norm", choose("tour_presets", "Everyone a little", "As few as possible"), False),
    ],
    "algorithm": [
        ("one line on", click("button[aria-label='One line on']"), True),
        ("break it", choose("tour_algorithm_broken", "Sign", "μ × 3", "No"), False),
    ],
    "function": [
        ("move over the plane", somewhere(lambda mouse, x, y: mouse.move(x, y)), True),
        ("beside a classical method", choose("tour_function_classical", "LSR", "LRR", "–"), False),
    ],
    "clusters": [("another affinity", choose("tour_clusters_affinity", "The codes", "Landmarks"), False)],
    "noise": [("another corruption", choose("tour_noise_kind", "Points", "All a little", "Entries"), False)],
    "failures": [("another case", lambda page, turn: page.locator(f".st-key-tour_preset_{turn % 4} button").click(), False)],
}


def tour(quick):
    """From the press to the change of the picture; the first three moves are told apart, for they may wake something."""
    rows = []
    with only_visitor() as page:
        for number, step in enumerate(steps(), 1):
            page.goto(f"/Tour?step={step.name}&guess={step.answers[0]}")
            page.locator(DRAWN).first.wait_for()
            wait_until_idle(page)
            # Streamlit fetches its slider when it first needs it.
            page.wait_for_function("!document.querySelector('.st-key-settings [data-testid=stSkeleton]')")
            sliders = page.locator(".st-key-settings input[type=range]").count()
            deeds = [("first slider", press(".st-key-settings input[type=range]"), False)] if sliders else []
            for words, act, alone in deeds + DEEDS.get(step.name, []):
                seconds = [answered(page, act, turn, alone) for turn in range(6 if quick else 12)]
                first, rest = max(seconds[:3]), seconds[3:]
                assert nothing_broke(page), f"step {step.name} shows an error"
                what = f"Tour {number}, {words}: {{}} of {len(rest)} (the first three: at most {first:.2f} s)"
                rows.append((what.format("median"), median(rest), ANSWER, "s"))
                rows.append((f"Tour {number}, {words}: worst", max(rest), ANSWER, "s"))
    return rows


def answered(page, act, turn, alone):
    """Seconds from the press to the first change of the picture, or where the server is asked, to the last."""
    page.evaluate("selector => window.watch(selector)", PICTURE)
    act(page, turn)
    page.wait_for_function("window.changes.some(time => time > window.pressed)")
    wait_until_idle(page)
    page.wait_for_function("performance.now() - window.changes.at(-1) > 300")
    wait_until_idle(page)
    which = "find(time => time > window.pressed)" if alone else "at(-1)"
    return page.evaluate(f"(window.changes.{which} - window.pressed) / 1000")
