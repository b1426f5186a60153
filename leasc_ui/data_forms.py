"""The three ways to data as widgets: sliders that make points, cards of sample sets, a file; and the cleaning after it."""

from dataclasses import fields, replace

import streamlit as st

from leasc_core.data.presets import PRESETS
from leasc_core.errors import LeascError
from leasc_ui.data_address import CHOICES, RANGES, from_address, to_address
from leasc_ui.data_choices import FOUR_LINES, SAMPLES, WAYS, Cleaning, DataChoices, FileChoice, of_preset, of_sample
from leasc_ui.data_file_form import file_form
from leasc_ui.data_room import DataRoom, undo
from leasc_ui.heard import seed

LOOK = "look_closer"
SPREADS = {"gaussian": "Gaussian", "uniform": "Uniform ball", "one_sided": "One-sided cone"}


def looks_of(data):
    """The closer looks that these data have something for."""
    return ["table", "features", *(["solid"] if data.points.shape[1] > 2 else []), *(["pictures"] if data.image_shape else [])]


def first_look(data):
    """The one that is shown unless another is asked for."""
    return "pictures" if data.image_shape else "table"


def follow_address(room: DataRoom):
    """Follow a link, and the browser's back and forward."""
    if given := room.address.follow():
        st.session_state[LOOK] = given.get("look")
        asked = from_address(given)
        if asked.way == "file" and not asked.file.path:
            # An upload is never in an address: going back to it brings the last one.
            mine = room.uploaded or room.choices
            asked = replace(mine, way="file", cleaning=asked.cleaning if room.uploaded else mine.cleaning)
        room.put(asked, take=asked.complete)


def write_address(room: DataRoom, data):
    """Put the choices, and what is looked at closer, into the address, so that copying it shares the view."""
    address, look = to_address(room.choices), st.session_state.get(LOOK)
    if data is not None and look in looks_of(data) and look != first_look(data):
        address["look"] = look
    room.address.write(address)


def heading(room, session):
    """The title of the panel, with undo and reset."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Source", anchor=False, width="content")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            st.button(
                "Undo", icon=":material/undo:", type="tertiary", on_click=_undo, args=(room, session), disabled=not room.before,
                help="Back to the data before the last change. What was made from them is ready again.",
            )  # fmt: skip
            st.button(
                "Reset", icon=":material/restart_alt:", type="tertiary", on_click=lambda: room.put(_at_first(room.choices)),
                disabled=room.choices.way is None,
                help="All settings of this page as they were. Its address holds your choices: share it to share the view.",
            )  # fmt: skip


def source_form(room: DataRoom):
    """The three ways in; returns nothing, ``room.choices`` says what is chosen."""
    seed("data_way", room.choices.way)
    way = st.segmented_control("How to get data", tuple(WAYS), key="data_way", format_func=WAYS.get, width="stretch",
                               label_visibility="collapsed")  # fmt: skip
    room.choices = replace(room.choices, way=way)
    if way == "make":
        _make_form(room)
    elif way == "sample":
        sample_cards(room)
    elif way == "file":
        file_form(room)


def sample_cards(room):
    """A button a sample set, with what it shows."""
    loaded = room.loaded.sample if room.loaded is not None and room.loaded.way == "sample" else None
    for name in SAMPLES:
        card(name, f"data_sample_{name}", loaded == name or room.take and room.choices.sample == name, on_click=room.put,
             args=(of_sample(name),))  # fmt: skip


def card(name, key, chosen=False, **click):
    """One sample set as a button."""
    sample = SAMPLES[name]
    words = f"**{sample.title}** {sample.story} *{sample.facts}*"
    return st.button(words, icon=sample.icon, key=key, width="stretch", type="primary" if chosen else "secondary", **click)


def invitation(room):
    """What stands where no data are yet: one click away from some."""
    st.subheader("Nothing here yet", anchor=False)
    st.markdown("Open one of these, **make points** and watch them follow the sliders, or bring **your file**.")
    names = [name for name in SAMPLES if name != "corrupted"]
    for pair in (names[:2], names[2:]):
        for column, name in zip(st.columns(2), pair, strict=True):
            with column:
                card(name, f"data_invite_{name}", on_click=room.put, args=(of_sample(name),))


def cleaning_form(room, found):
    """What is done to the rows before the next room; only what these data have a use for is offered."""
    cleaning = room.choices.cleaning
    _seed_all("data_clean_", cleaning)
    if found.n_missing:
        st.selectbox(
            "Missing values", CHOICES["missing_values"], key="data_clean_missing",
            format_func={"low_rank": "predict them (low rank)", "mean": "the feature’s mean", "drop": "leave those rows out"}.get,
            help=f"{found.n_missing:,} values are missing. A low-rank model predicts them from a point’s other features.",
        )  # fmt: skip
    elif found.data.image_shape and min(found.data.image_shape[:2]) >= 8:
        st.toggle("Scattering features of the pictures", key="data_clean_scattering",
                  help="Wavelets and averages: features that small shifts hardly change. Reduce them by PCA below.")  # fmt: skip
    st.toggle("Leave out constant features", key="data_clean_drop_constant", help="Features that show one value only.")
    st.toggle("Standardise features", key="data_clean_standardise", help="Mean 0 and standard deviation 1 for every feature.")
    left, right = st.columns(2, wrap=False, vertical_alignment="bottom")
    reduce = left.selectbox(
        "PCA", CHOICES["reduce"], key="data_clean_reduce",
        format_func={"no": "none", "components": "by number", "variance": "by variance"}.get,
        help="Keep only the principal axes that carry the most variance.",
    )  # fmt: skip
    if reduce == "components":
        right.number_input("Components", *RANGES["components"], key="data_clean_components")
    elif reduce == "variance":
        right.number_input("Variance kept, %", *RANGES["variance"], step=1.0, key="data_clean_variance")
    st.toggle("Unit length for every point", key="data_clean_unit_rows",
              help="Divide every row by its length: then only directions count, as subspaces do.")  # fmt: skip
    room.choices = replace(room.choices, cleaning=_read_all("data_clean_", cleaning))


def _make_form(room):
    making = room.choices.making
    _seed_all("data_make_", making)
    preset = st.selectbox(
        "Preset", CHOICES["preset"], key="data_make_preset", format_func=lambda name: PRESETS[name].title,
        on_change=lambda: room.put(
            replace(room.choices, making=of_preset(st.session_state["data_make_preset"], room.choices.making.seed)), room.take
        ),
    )  # fmt: skip
    st.caption(PRESETS[preset].lesson)
    if room.loaded is not None and room.loaded.way != "make":
        st.button(
            "Make these points", type="primary", icon=":material/auto_awesome:", on_click=_take, args=(room,), width="stretch",
            help="They take the place of the data that are loaded; undo brings those back.",
        )  # fmt: skip
    if preset == FOUR_LINES:
        st.slider("Noise, times the paper’s", *RANGES["rays_noise"], step=0.25, key="data_make_rays_noise")
        st.number_input("Seed", *RANGES["seed"], key="data_make_seed")
    else:
        _sliders()
    room.choices = replace(room.choices, making=_read_all("data_make_", making))


def _sliders():
    _pair(("Subspaces", "subspaces", 1, None), ("Dimension of each", "dim", 1, None))
    _pair(("Features", "ambient", 1, "The dimension of the space they lie in."),
          ("Points a subspace", "points", 10, "On average, where the sizes differ."))  # fmt: skip
    _pair(("Angle, degrees", "angle", 1.0, "The smallest principal angle between neighbours; 0 leaves it to chance."),
          ("Noise, %", "noise", 0.5, "Of a point’s typical length."))  # fmt: skip
    _pair(("Outlying entries, %", "outlying", 0.5, "Single values with a gross error."),
          ("Missing entries, %", "missing", 1.0, "Single values that are not there."))  # fmt: skip
    _pair(("Outlier points, %", "outliers", 0.1, "Points that lie on no subspace."),
          ("Imbalance, times", "balance", 0.5, "The largest subspace has so many times the points of the smallest."))  # fmt: skip
    left, right = st.columns(2, wrap=False, vertical_alignment="bottom")
    left.selectbox("Spread", CHOICES["spread"], key="data_make_spread", format_func=SPREADS.get, help="How they fill a subspace.")
    right.number_input("Seed", *RANGES["seed"], key="data_make_seed", help="Another seed draws other subspaces and points.")
    left, right = st.columns(2, wrap=False)
    left.toggle("Affine", key="data_make_affine", help="Subspaces that miss the origin.")
    right.toggle("Growing", key="data_make_growing", help="Each subspace has one dimension more than the one before.")


def _pair(*sliders):
    for column, (label, name, step, meaning) in zip(st.columns(2, wrap=False), sliders, strict=True):
        shown = "%d" if isinstance(step, int) else "%.1f"
        column.slider(label, *RANGES[name], step=step, format=shown, key=f"data_make_{name}", help=meaning)


def _take(room):
    room.put(replace(room.choices, cleaning=Cleaning()))


def _undo(room, session):
    try:
        undo(session)
    except LeascError as problem:
        room.problem = str(problem)
    # Cluster looks at the run of what is there again, not at the one that came after it.
    if "cluster_room" in st.session_state:
        found = session.pipeline.clusters
        st.session_state["cluster_room"].folder = None if found is None else found.folder


def _at_first(choices):
    """The defaults of the way that is chosen."""
    if choices.way == "sample" and choices.sample:
        return of_sample(choices.sample)
    file = FileChoice(path=choices.file.path, root=choices.file.root)
    return DataChoices(way=choices.way, making=of_preset(choices.making.preset), file=file, cleaning=Cleaning())


def _seed_all(prefix, settings):
    for each in fields(settings):
        seed(prefix + each.name, getattr(settings, each.name))


def _read_all(prefix, settings):
    """The settings with every value a widget holds."""
    names = [each.name for each in fields(settings) if prefix + each.name in st.session_state]
    return replace(settings, **{name: st.session_state[prefix + name] for name in names})
