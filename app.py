"""Home: what this is, the visitor's own file first, one-click demos that end on their clusters, and a living picture."""

import streamlit as st

from leasc_ui.frame.page import page_icon
from leasc_ui.screens.page import page_setup

DEMOS = (
    ("four_lines", "moving_objects", "shapes_under_light", "digits"),
    ("cell_counts", "sentences", "sensor_states", "corrupted"),
)

page_setup(icon=False)

words, drawing = st.container(key="hero").columns([1.1, 1], gap="large", vertical_alignment="center")
with words:
    st.html('<p class="overline">Learnable subspace clustering</p><h1 class="lede">Find the groups in your data.</h1>')
    st.markdown(
        "Bring a table, pictures or measurements. One button finds which rows belong together, how many groups there are, how "
        "sure that is, and what each group is made of. You set nothing, and can change everything."
    )
    upload = st.container(key="home_upload")
    with st.container(horizontal=True):
        st.page_link("pages/0_Tour.py", label="Take the tour", icon=":material/explore:")
        st.page_link("pages/1_Four_lines.py", label="See it on one page: four lines", icon=":material/scatter_plot:")

# Only now, so that the page is painted before NumPy is loaded.
page_icon()
from leasc_ui.screens.data.settings import card  # noqa: E402
from leasc_ui.screens.home.picture import ALT, picture  # noqa: E402
from leasc_ui.screens.home.runs import show_recent_runs  # noqa: E402
from leasc_ui.screens.home.way_in import open_demo, show_upload  # noqa: E402
from leasc_ui.screens.page import pipeline_strip  # noqa: E402
from leasc_ui.screens.results.project_view import show_open  # noqa: E402
from leasc_ui.session.state import current_session  # noqa: E402
from leasc_ui.work import core  # noqa: E402

with drawing:
    st.image(picture(st.context.theme.type), width="stretch", alt=ALT)
with upload:
    show_upload()

pipeline_strip(current_session())
st.space("small")
st.subheader("Or watch it work, with one click", anchor=False)
for row in DEMOS:
    for column, name in zip(st.columns(len(row)), row, strict=True):
        with column:
            if card(name, f"data_invite_{name}"):
                open_demo(current_session(), name)
show_recent_runs()
show_open(current_session())
st.space("small")
with st.expander("The same in four lines of Python", icon=":material/code:"):
    st.code(
        "from leasc_core import LeaSC\n\n"
        'model = LeaSC(random_state=0).fit("your_file.csv")    # rows are points\n'
        'model.labels_, model.predict("new_rows.csv")          # labels of old points, and of new ones',
        language="python",
    )
core.warm_up()
