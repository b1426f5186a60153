"""The frame around every page: title, styles, menu, and the strip that shows where one is in the pipeline."""

import sys
from html import escape
from pathlib import Path
from time import sleep

import streamlit as st

from leasc_ui.frame.theme import css
from leasc_ui.frame.visitor import keep_visitor, visitor
from leasc_ui.places import app_folder
from leasc_ui.session import address
from leasc_ui.work import core, slots

PRODUCT = "LeaSC Studio"
ASSETS = Path(__file__).parent / "assets"
WAITING_HEIGHT = 560
UNTIL_PAINTED = 0.3
SHOWN = "shown_figures"
PAGES = {
    "app.py": ("Home", ":material/home:"),
    "pages/0_Tour.py": ("Tour", ":material/explore:"),
    "pages/1_Four_lines.py": ("Four lines", ":material/scatter_plot:"),
    "pages/2_Data.py": ("Data", ":material/table_chart:"),
    "pages/3_Representatives.py": ("Representatives", ":material/grade:"),
    "pages/4_Train.py": ("Train", ":material/model_training:"),
    "pages/5_Cluster.py": ("Cluster", ":material/bubble_chart:"),
    "pages/6_Label_new_data.py": ("Label new data", ":material/new_label:"),
    "pages/8_Compare.py": ("Compare", ":material/compare_arrows:"),
    "pages/7_Theory.py": ("Theory", ":material/function:"),
}


def page_setup(title=None, icon=True):
    """The first call of every page; one that has more to show at once says ``icon=False`` and calls ``page_icon`` after it."""
    st.set_page_config(
        page_title=f"{title} · {PRODUCT}" if title else PRODUCT,
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    st.html(css())
    bar = st.container(key="bar", horizontal=True, vertical_alignment="center", gap="small")
    bar.html('<span class="wordmark">Lea<i>SC</i> Studio</span>', width="content")
    # Here the page ends for whoever may not see it.
    slots.set_visitor(visitor())
    st.session_state[SHOWN] = {}
    address.enter(title)
    with bar:
        for path, (label, symbol) in PAGES.items():
            if exists(path):
                st.page_link(path, label=label, icon=symbol)
    keep_visitor()
    if icon:
        page_icon()


def page_icon():
    """The icon in the browser's tab; last, because Streamlit imports NumPy and Pillow for it.

    Of a fresh server the first page pauses here: an import holds up the thread that serves what the browser draws it with.
    """
    if "numpy" not in sys.modules:
        sleep(UNTIL_PAINTED)
    st.set_page_config(page_icon=str(ASSETS / "icon.png"))


def exists(page):
    """Whether the app has this page."""
    return (app_folder() / page).is_file()


def way_on(page, label, disabled=False, width="content"):
    """The next step of the way, as the button that is meant to be pressed; a quiet one while it leads nowhere."""
    if exists(page):
        with st.container(key="enter_later" if disabled else "enter"):
            st.page_link(
                page, label=label, icon=":material/arrow_forward:", icon_position="right", disabled=disabled, width=width
            )


def load_core(words, *places):
    """Load the numerical libraries; where that takes seconds, ``words`` says so and each place shows that it will be filled."""
    if core.loaded():
        waiting = [place.empty() for place in places]
    else:
        waiting = [place.skeleton(height=WAITING_HEIGHT) for place in places]
        with words, st.spinner("Waking the numerical libraries, once …"):
            core.load()
    for place in waiting:
        place.empty()


def strip_html(stages):
    """The pipeline as a list: data · representatives · model · clusters."""
    items = "".join(
        f'<div class="{escape(stage.status)}" title="{escape(stage.title)}: {escape(stage.status)}">'
        f"<b>{escape(stage.title)}</b>{escape(stage.fact)}</div>"
        for stage in stages
    )
    return f'<div class="strip" role="group" aria-label="Pipeline">{items}</div>'


def show(chart, key):
    """Draw a chart; its key keeps the drawing in place from one run to the next, and names it for styles, tests and files."""
    st.session_state.setdefault(SHOWN, {})[key] = chart
    with st.container(key=key):
        st.vega_lite_chart(chart.data, chart.spec, key=f"{key}_chart", alt=chart.alt)
