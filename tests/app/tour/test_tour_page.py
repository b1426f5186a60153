"""Every step of the tour as Streamlit runs it: as it opens, by a link for a class, by a broken link, and its question."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from leasc_ui.screens.tour import frame
from leasc_ui.screens.tour.registry import steps
from leasc_ui.screens.tour.state import Memory
from leasc_ui.session.fields import fields_of
from tests.app.visits import address

ROOT = Path(__file__).parents[3]
HOME = ROOT / "app.py"
PATIENCE = 60
each_step = pytest.mark.parametrize("step", steps(), ids=lambda step: step.name)


@pytest.fixture(autouse=True)
def nothing_in_the_background(monkeypatch):
    """Warming up is for visitors; here it would only compete with the tests."""
    monkeypatch.setattr(frame, "warm_up", lambda memory: None)


def tour(**address):
    """The tour as a link with these parameters opens it."""
    app = AppTest.from_file(HOME, default_timeout=PATIENCE).switch_page("pages/0_Tour.py")
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def settings(app, step):
    return app.session_state[f"tour_{step.name}_form"].settings


def keys(app):
    return [button.key for button in app.button]


def options_of(step):
    """The values that each setting may take; an answer is one too."""
    return {name: tuple(field.options) for name, field in fields_of(step.kind).items()} | {"guess": step.answers}


def far_from_default(step):
    """Settings that differ from the default wherever they may."""
    usual = step.kind()
    values = {
        name: next((each for each in reversed(tuple(options)) if each != getattr(usual, name)), getattr(usual, name))
        for name, options in options_of(step).items()
        if len(options) > 1
    }
    return step.kind(**values)


@each_step
def test_a_step_opens_with_nothing_revealed(step):
    app = tour(step=step.name)
    assert not app.exception and not app.error
    assert step.title in app.title[0].value
    assert settings(app, step) == step.kind()
    assert address(app) == {"step": step.name}
    assert {key for key in keys(app) if key.startswith("tour_answer_")} <= {f"tour_answer_{name}" for name in step.answers}
    assert "tour_again" not in keys(app)


@each_step
def test_an_answer_reveals_what_was_computed(step):
    app = tour(step=step.name)
    question = step.question(step.kind())
    assert question.truth in question.answers and set(question.answers) <= set(step.answers)
    wrong = next(name for name in question.answers if name != question.truth)
    app.button(key=f"tour_answer_{wrong}").click().run()
    assert not app.exception and not app.error
    assert address(app) == {"step": step.name, "guess": wrong}
    shown = " ".join(each.value for each in app.markdown)
    assert "✗" in shown and question.because in shown
    app.button(key="tour_again").click().run()
    assert address(app) == {"step": step.name}


def test_a_dial_turned_after_the_answer_makes_nobody_wrong():
    app = tour(step="failures")
    step = next(each for each in steps() if each.name == "failures")
    least = options_of(step)["units"][0]
    bad, good = step.question(step.kind()), step.question(step.kind(units=least))
    assert bad.truth != good.truth
    app.button(key=f"tour_answer_{bad.truth}").click().run()
    app.select_slider(key="tour_failures_units").set_value(least).run()
    shown = " ".join(each.value for each in app.markdown)
    assert "✓" in shown and "✗" not in shown and f"Now, with other settings: {good.because}" in shown


@each_step
def test_a_link_for_a_class_restores_every_setting(step):
    wanted = far_from_default(step)
    link = Memory(step).to_address(wanted)
    app = tour(**link)
    assert not app.exception and not app.error
    assert settings(app, step) == wanted
    assert address(app) == link


@pytest.mark.parametrize("link", re.findall(r"`/Tour\?(\S+)`", (ROOT / "docs/start/teacher.md").read_text("utf-8")))
def test_the_links_of_the_teachers_page_open_what_they_say(link):
    said = dict(parse_qsl(link))
    app = tour(**said)
    assert not app.exception and not app.error
    assert address(app) == said, "each of its words is understood, and none is a default"


@each_step
def test_a_broken_link_falls_back_to_the_defaults(step):
    broken = dict.fromkeys(options_of(step), "nonsense")
    app = tour(step=step.name, other="thing", **broken)
    assert not app.exception and not app.error
    assert settings(app, step) == step.kind()
    assert address(app) == {"step": step.name}


@each_step
def test_every_preset_can_be_clicked(step):
    app = tour(step=step.name)
    for number, fields in enumerate(step.presets.values()):
        app.button(key=f"tour_preset_{number}").click().run()
        assert not app.exception and not app.error
        assert settings(app, step) == step.kind(**fields)


def test_an_unknown_step_is_the_first():
    app = tour(step="nowhere")
    assert not app.exception
    assert address(app) == {"step": steps()[0].name}


def test_next_and_back_walk_through_all_steps_and_keep_what_was_set():
    app = tour()
    names = [step.name for step in steps()]
    seen = [address(app)["step"]]
    while not app.button(key="tour_next").disabled:
        app.button(key="tour_next").click().run()
        assert not app.exception
        seen.append(address(app)["step"])
    assert seen == names
    app.button(key=f"tour_to_{names[0]}").click().run()
    assert address(app)["step"] == names[0] and app.button(key="tour_back").disabled
