"""Home: what this is, a living picture of it, and the way in."""

import streamlit as st

from leasc_ui.page import page_icon, page_setup, way_on

DEMOS = ("four_lines", "moving_objects", "shapes_under_light", "digits")

page_setup(icon=False)

words, drawing = st.container(key="hero").columns([1, 1.1], gap="large", vertical_alignment="center")
with words:
    st.html(
        '<p class="overline">Learnable subspace clustering</p>'
        '<h1 class="lede">Find the lines, planes and subspaces your points lie on.</h1>'
    )
    st.markdown(
        "A few representatives stand for all the data. A small network learns how points are made of them, "
        "and then gives every point, old or new, its place and its cluster in a single pass."
    )
    way_on("pages/0_Tour.py", "Take the tour")
    st.page_link("pages/1_Four_lines.py", label="Or see all of it on one page: four lines", icon=":material/scatter_plot:")

# Only now, so that the page is painted before NumPy is loaded.
page_icon()
from leasc_ui import core  # noqa: E402
from leasc_ui.data_forms import card  # noqa: E402
from leasc_ui.data_room import take_sample  # noqa: E402
from leasc_ui.home_picture import ALT, picture  # noqa: E402
from leasc_ui.home_runs import show_recent_runs  # noqa: E402
from leasc_ui.state import session  # noqa: E402
from leasc_ui.strip import pipeline_strip  # noqa: E402

with drawing:
    st.image(picture(st.context.theme.type), width="stretch", alt=ALT)

pipeline_strip(session())
st.space("small")
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.subheader("Start with one click", anchor=False, width="content")
    st.page_link("pages/2_Data.py", label="Bring your own data", icon=":material/upload_file:", query_params={"way": "file"})
for column, name in zip(st.columns(len(DEMOS)), DEMOS, strict=True):
    with column:
        if card(name, f"data_invite_{name}"):
            take_sample(session(), name)
            st.switch_page("pages/2_Data.py")
show_recent_runs()
st.space("small")
with st.expander("The same in five lines of Python", icon=":material/code:"):
    st.code(
        "from leasc_core import LeaSC\n"
        "from leasc_core.data.synthetic import four_rays\n\n"
        "Y, y = four_rays()                                    # rows are points\n"
        "model = LeaSC(n_clusters=4, n_representatives=88, hidden=(50,), random_state=0).fit(Y)\n"
        "model.labels_, model.predict(Y[:5])                   # labels of old points, and of new ones",
        language="python",
    )
core.warm_up()
