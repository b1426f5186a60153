"""At the foot of a page: its charts as files."""

import streamlit as st

from leasc_ui.frame.page import SHOWN


def offer_figures(name):
    """At the foot of a page: every chart that it shows, as files; made when they are asked for."""
    charts = dict(st.session_state.get(SHOWN, {}))
    if not charts:
        return
    dark = st.context.theme.type == "dark"

    def make():
        from leasc_ui.charts.files import charts_zip

        return charts_zip(charts, dark)

    st.download_button(
        "Save the figures of this page",
        make,
        f"{name}-figures.zip",
        "application/zip",
        icon=":material/download:",
        key="page_figures",
        on_click="ignore",
        type="tertiary",
        help="Each as HTML, which needs no network, as SVG and as PNG. The menu beside a chart saves just that one.",
    )
