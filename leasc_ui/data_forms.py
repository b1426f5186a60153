"""The three ways to data as widgets: sliders that make points, cards of sample sets, a file and how to read it."""

from dataclasses import fields, replace
from pathlib import Path

import streamlit as st

from leasc_core.data.guards import size_text
from leasc_core.data.presets import PRESETS
from leasc_core.errors import LeascError
from leasc_ui import uploads
from leasc_ui.data_choices import (
    CHOICES,
    FOUR_LINES,
    RANGES,
    SAMPLES,
    WAYS,
    Cleaning,
    DataChoices,
    FileChoice,
    from_address,
    of_preset,
    of_sample,
    to_address,
)
from leasc_ui.data_files import facts_of, main_file
from leasc_ui.data_room import DataRoom, undo

SPREADS = {"gaussian": "Gaussian", "uniform": "Uniform ball", "one_sided": "One-sided cone"}
FOUND, NO_LABELS = "found by itself", "no labels"
SEPARATORS = {None: FOUND, ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
DECIMALS = {None: FOUND, ".": "point", ",": "comma"}
YES_OR_NO = {None: FOUND, True: "yes", False: "no"}
ORIENTATIONS = {None: FOUND, False: "rows", True: "columns"}


def follow_address(room: DataRoom):
    """Follow a link, and the browser's back and forward: an address that we did not write ourselves."""
    given = st.query_params.to_dict()
    if given and given != room.address:
        room.put(from_address(given))


def write_address(room: DataRoom):
    """Put the choices into the address, so that copying it shares the view."""
    room.address = to_address(room.choices)
    if st.query_params.to_dict() != room.address:
        st.query_params.from_dict(room.address)


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
    _seed("data_way", room.choices.way)
    way = st.segmented_control("How to get data", tuple(WAYS), key="data_way", format_func=WAYS.get, width="stretch",
                               label_visibility="collapsed")  # fmt: skip
    room.choices = replace(room.choices, way=way)
    if way == "make":
        _make_form(room)
    elif way == "sample":
        sample_cards(room)
    elif way == "file":
        _file_form(room)


def sample_cards(room):
    """A button a sample set, with what it shows."""
    for name, sample in SAMPLES.items():
        chosen = room.choices.sample == name and room.loaded is not None and room.loaded.sample == name
        st.button(
            f"**{sample.title}** {sample.story} *{sample.facts}*", icon=sample.icon, key=f"data_sample_{name}", width="stretch",
            type="primary" if chosen and room.loaded.way == "sample" else "secondary", on_click=room.put, args=(of_sample(name),),
        )  # fmt: skip


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
    left.selectbox("Spread", CHOICES["spread"], key="data_make_spread", format_func=SPREADS.get, help="How points fill a subspace.")
    right.number_input("Seed", *RANGES["seed"], key="data_make_seed", help="Another seed draws other subspaces and points.")
    left, right = st.columns(2, wrap=False)
    left.toggle("Affine", key="data_make_affine", help="Subspaces that miss the origin.")
    right.toggle("Growing", key="data_make_growing", help="Each subspace has one dimension more than the one before.")


def _pair(*sliders):
    for column, (label, name, step, meaning) in zip(st.columns(2, wrap=False), sliders, strict=True):
        column.slider(label, *RANGES[name], step=step, key=f"data_make_{name}", help=meaning)


def _file_form(room):
    st.file_uploader(
        "Upload", key=f"data_upload_{room.uploads}", accept_multiple_files=True, on_change=_receive, args=(room,),
        help="CSV and other text tables, NumPy, MATLAB, HDF5, Parquet, Feather, libsvm, IDX, a zip of pictures; also gzipped. "
        "A file of labels that lies beside an IDX file is uploaded together with it.",
    )  # fmt: skip
    folder = uploads.server_folder()
    if folder is not None:
        _server_form(room, folder)
    if room.choices.file.path:
        try:
            _reading_form(room)
        except LeascError as problem:
            room.problem = str(problem)


def _server_form(room, folder):
    names = uploads.server_files(folder)
    now = room.choices.file
    _seed("data_server", now.path if now.root == "server" and now.path in names else None)

    def choose():
        name = st.session_state["data_server"]
        if name:
            room.put(replace(room.choices, file=FileChoice(path=name, root="server")))

    st.selectbox("Or a file on the server", names, key="data_server", index=None, placeholder="Choose a file", on_change=choose)


def _reading_form(room):
    file = room.choices.file
    if file.root == "uploads" and len(room.stored) > 1:
        _seed("data_file_path", file.path)

        def choose():
            room.put(replace(room.choices, file=FileChoice(st.session_state["data_file_path"])))

        st.selectbox("File", room.stored, key="data_file_path", format_func=lambda path: Path(path).name, on_change=choose)
    place = file.place()
    facts = facts_of(place, file.separator, file.header, file.decimal)
    st.caption(f"**{place.name.replace('*', '')}**, {facts.format}, {size_text(facts.size)}")
    _seed_all("data_file_", file, skip=("path", "root"))
    if facts.arrays:
        usable = [info for info in facts.arrays if info.role != "not numeric"]
        _select("Array", "array", {None: FOUND} | {info.name: f"{info.name}, {_shape(info)}" for info in usable})
    names = [info.name for info in facts.arrays] or facts.columns
    if names:
        _select("Labels", "label", {None: FOUND, False: NO_LABELS} | {name: name for name in names},
                help="Labels are shown and scored, never used.")  # fmt: skip
    _select("Points are", "transpose", ORIENTATIONS, help="Whether a row or a column of the table is one point.")
    if facts.text:
        with st.expander("How the table is written"):
            _select("Separator", "separator", SEPARATORS)
            _select("Decimal mark", "decimal", DECIMALS)
            _select("First line names the columns", "header", YES_OR_NO)
    room.choices = replace(room.choices, file=_read_all("data_file_", file))


def _select(title, name, words, **more):
    key = f"data_file_{name}"
    if st.session_state[key] not in words:
        st.session_state[key] = None
    st.selectbox(title, tuple(words), key=key, format_func=lambda option: str(words[option]), **more)


def _shape(info):
    return " × ".join(f"{length:,}" for length in info.shape)


def _receive(room):
    """Keep what was uploaded on disk, and empty the uploader, which would hold it in memory."""
    given = st.session_state.get(f"data_upload_{room.uploads}")
    if not given:
        return
    try:
        folder = uploads.new_folder()
        paths = [uploads.store(folder, each.name, each) for each in given]
    except LeascError as problem:
        room.problem = str(problem)
        return
    room.uploads += 1
    room.stored = tuple(str(path) for path in paths)
    room.put(replace(room.choices, way="file", file=FileChoice(path=str(main_file(paths)))))


def _take(room):
    room.take = True


def _undo(room, session):
    try:
        undo(session)
    except LeascError as problem:
        room.problem = str(problem)


def _at_first(choices):
    """The defaults of the way that is chosen."""
    if choices.way == "sample" and choices.sample:
        return of_sample(choices.sample)
    file = FileChoice(path=choices.file.path, root=choices.file.root)
    return DataChoices(way=choices.way, making=of_preset(choices.making.preset), file=file, cleaning=Cleaning())


def _seed(key, value):
    st.session_state.setdefault(key, value)


def _seed_all(prefix, settings, skip=()):
    for each in fields(settings):
        if each.name not in skip:
            _seed(prefix + each.name, getattr(settings, each.name))


def _read_all(prefix, settings):
    """The settings with every value a widget holds."""
    names = [each.name for each in fields(settings) if prefix + each.name in st.session_state]
    return replace(settings, **{name: st.session_state[prefix + name] for name in names})
