"""The frame of the tour: where one is, the way on and back, the question, the story, the equation and the link for a class."""

import threading
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from leasc_ui.screens.tour.linked import story_html
from leasc_ui.screens.tour.registry import steps
from leasc_ui.screens.tour.state import KEPT_PLACE, PLACE, Memory
from leasc_ui.session.address import Address

_warmed, _warming = set(), threading.Lock()


def current() -> Memory:
    """The step that a link names, else the one last seen, else the first."""
    names = [step.name for step in steps()]
    named = st.session_state.setdefault("tour_address", Address()).follow().get(PLACE)
    kept = st.session_state.get(KEPT_PLACE)
    place = named if named in names else kept if named is None and kept in names else names[0]
    st.session_state[KEPT_PLACE] = place
    return Memory(steps()[names.index(place)])


def show_progress(memory):
    """The numbers of all steps, and the way on and back."""
    at = steps().index(memory.step)
    with st.container(key="tour_progress", horizontal=True, vertical_alignment="center", gap="small"):
        for number, step in enumerate(steps(), 1):
            st.button(
                f"{number}",
                key=f"tour_to_{step.name}",
                on_click=Memory(step).open,
                help=step.title,
                type="primary" if step is memory.step else "secondary",
            )
        st.space("stretch")
        _way(at - 1, "Back", ":material/arrow_back:", "left", "Left")
        _way(at + 1, "Next", ":material/arrow_forward:", "right", "Right")


def _way(to, label, icon, side, key):
    inside = 0 <= to < len(steps())
    st.button(
        label,
        icon=icon,
        icon_position=side,
        key=f"tour_{label.lower()}",
        shortcut=key,
        disabled=not inside,
        on_click=Memory(steps()[to]).open if inside else None,
        type="primary" if inside and label == "Next" else "secondary",
    )


def show_title(step):
    """The step's title and its sentence; gives the place of the sentence."""
    st.title(f"{steps().index(step) + 1} · {step.title}", anchor=False)
    lead = st.container(horizontal=True, horizontal_alignment="distribute")
    lead.markdown(step.sentence)
    return lead


def places(step):
    """Where the picture, the question and the controls of a step stand: beside the picture, or below a wide one."""
    board = st.container(key="tour_board")
    if step.wide:
        return board.container(key="tour_picture"), *board.columns(2, gap="medium")
    picture, panel = board.columns([2.3, 1], gap="medium")
    return picture.container(key="tour_picture"), panel.container(), panel


def show_controls(memory):
    """Presets, then the step's own widgets, in a card."""
    step = memory.step
    with st.container(border=True, key="settings", gap="small"):
        if step.presets:
            with st.container(key="tour_presets", horizontal=True, gap="small"):
                for number, (label, fields) in enumerate(step.presets.items()):
                    st.button(
                        label,
                        key=f"tour_preset_{number}",
                        on_click=_take,
                        args=(memory, fields),
                        type="primary" if memory.settings == _preset(memory, fields) else "secondary",
                    )
        if step.controls is not None:
            step.controls(memory)
        elif step.knobs is None:
            memory.all_fields()
        else:
            memory.all_fields(None, *step.knobs)
        if step.note:
            st.caption(step.note)
        folded = [name for name in memory.fields if name not in step.knobs and memory.fields[name].widget] if step.knobs else []
        if folded:
            with st.expander("More to turn", key="tour_more"):
                memory.all_fields(None, *folded)


def _take(memory, fields):
    asked_anew = {name: fields[name] for name in fields if name == "guess"}
    memory.put(replace(_preset(memory, fields), **asked_anew))


def _preset(memory, fields):
    """The settings of a preset, with what it leaves alone as it is."""
    settings = memory.settings
    return memory.kind(**fields | {name: getattr(settings, name) for name in memory.step.kept})


def show_question(memory, settings):
    """Predict, then reveal: the answers as buttons, and once one is picked, what was computed."""
    question = memory.step.question(settings)
    with st.container(border=True, key="tour_question", gap="small"):
        st.markdown(f"**Predict.** {question.words}")
        if settings.guess not in question.answers:
            st.session_state.pop(memory.key("truth_then"), None)
            for name, words in question.answers.items():
                st.button(words, key=f"tour_answer_{name}", on_click=memory.change, kwargs={"guess": name}, width="stretch")
            return
        truth = _truth_then(memory, settings, question)
        with st.container(key="tour_truth"):
            st.markdown(f"{'✓' if settings.guess == truth else '✗'} You said: {question.answers[settings.guess]}.")
            st.markdown(question.because if truth == question.truth else f"Now, with other settings: {question.because}")
        st.button(
            "Ask again", key="tour_again", type="tertiary", icon=":material/replay:", on_click=memory.change, kwargs={"guess": ""}
        )


def _truth_then(memory, settings, question):
    """What was right when the guess was made: turning a dial afterwards makes nobody wrong."""
    key = memory.key("truth_then")
    guess, truth = st.session_state.get(key, ("", ""))
    if guess != settings.guess:
        truth = question.truth
        st.session_state[key] = settings.guess, truth
    return truth


def show_equation(step):
    """Why the title holds, in words; then the formula, its symbols linked with words and picture."""
    words, formula = st.container(border=True, key="tour_story").columns(2, gap="large")
    words.html(story_html(step.story))
    with formula:
        st.latex(step.equation.latex)
        st.caption(f"**{step.equation.title}.** {step.equation.words}")


def show_ways(memory):
    """Below everything: the link that opens exactly this, and after the last step the way out."""
    with st.container(key="tour_ways", horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover("Link for a class", icon=":material/link:", type="tertiary"):
            st.markdown("Opens this step with these settings, and as much revealed as here.")
            st.code(f"{_here()}?{urlencode(memory.state.address.written)}", language=None, wrap_lines=True)
        st.button("Start this step anew", key="tour_reset", icon=":material/restart_alt:", type="tertiary", on_click=memory.reset)
        if memory.step is steps()[-1]:
            st.page_link("pages/1_Four_lines.py", label="All of it on one page", icon=":material/scatter_plot:")


def _here():
    return (st.context.url or "").split("?")[0]


def warm_up(memory):
    """Compute behind the visitor's back what the next step would keep them waiting for; once a server."""
    here = steps().index(memory.step)
    for step in steps()[here : here + 2]:
        if step.warm is not None and step.name not in _warmed:
            _warmed.add(step.name)
            threading.Thread(target=_warm, args=(step,), name=f"warm-{step.name}", daemon=True).start()


def _warm(step):
    """One step at a time, so that a visitor's own computation finds a place beside it."""
    with _warming:
        step.warm()
