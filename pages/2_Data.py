"""Data: make points, take a sample set, or bring a file; clean it and look at it."""

import streamlit as st

from leasc_ui.page import page_setup
from leasc_ui.state import session
from leasc_ui.strip import pipeline_strip

page_setup("Data")
mine = session()
st.title("Data", anchor=False)
pipeline_strip(mine)
