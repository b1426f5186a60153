"""A file as widgets: upload it or choose it on the server, then say how it is to be read."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from leasc_core.data.guards import size_text
from leasc_core.errors import LeascError
from leasc_ui import uploads
from leasc_ui.data_choices import Cleaning, FileChoice
from leasc_ui.data_files import main_file
from leasc_ui.data_room import file_facts
from leasc_ui.heard import seed
from leasc_ui.pipeline import fingerprint_of

FOUND, NO_LABELS = "found by itself", "no labels"
SEPARATORS = {None: FOUND, ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
DECIMALS = {None: FOUND, ".": "point", ",": "comma"}
YES_OR_NO = {None: FOUND, True: "yes", False: "no"}
ORIENTATIONS = {None: FOUND, False: "rows", True: "columns"}


def file_form(room):
    """Upload, or choose on the server; then how to read it."""
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
    seed("data_server", now.path if now.root == "server" and now.path in names else None)

    def choose():
        name = st.session_state["data_server"]
        if name:
            _open(room, FileChoice(path=name, root="server"))

    st.selectbox("Or a file on the server", names, key="data_server", index=None, placeholder="Choose a file", on_change=choose)


def _reading_form(room):
    file = room.choices.file
    if file.root == "uploads" and len(room.stored) > 1:
        seed("data_file_path", file.path)

        def choose():
            _open(room, FileChoice(st.session_state["data_file_path"]))

        st.selectbox("File", room.stored, key="data_file_path", format_func=lambda path: Path(path).name, on_change=choose)
    place = file.place()
    facts = file_facts(file)
    st.caption(f"**{place.name.replace('*', '')}**, {facts.format}, {size_text(facts.size)}")
    given = {"array": None, "label": None}
    if facts.arrays:
        usable = [info for info in facts.arrays if info.role != "not numeric"]
        words = {None: FOUND} | {info.name: f"{info.name}, {_shape(info)}" for info in usable}
        given["array"] = _select("Array", file.array, words)
    names = [info.name for info in facts.arrays] or facts.columns
    if names:
        words = {None: FOUND, False: NO_LABELS} | {name: name for name in names}
        given["label"] = _select("Labels", file.label, words, "Labels are shown and scored, never used.")
        if facts.columns:
            given["leave_out"] = _left_out(file, facts.columns)
    given["transpose"] = _select("Points are", file.transpose, ORIENTATIONS, "Whether a row or a column is one point.")
    if facts.text:
        seed("data_file_drop_text", bool(file.drop_text))
        drop = st.toggle("Leave out columns of text", key="data_file_drop_text",
                         help="Names, dates, remarks: only columns of numbers, and the labels, are kept.")  # fmt: skip
        given["drop_text"] = drop or None
        with st.expander("How the table is written"):
            given["separator"] = _select("Separator", file.separator, SEPARATORS)
            given["decimal"] = _select("Decimal mark", file.decimal, DECIMALS)
            given["header"] = _select("First line names the columns", file.header, YES_OR_NO)
    room.choices = replace(room.choices, file=replace(file, **given))


def _select(title, value, words, meaning=None):
    """A menu of ``words``. A key may be None, which Streamlit would take for no choice, so its options are positions."""
    options = tuple(words)
    key = f"data_file_{title}_{fingerprint_of(options)}"
    seed(key, options.index(value) if value in options else 0)
    chosen = st.selectbox(title, range(len(options)), key=key, format_func=lambda at: str(words[options[at]]), help=meaning)
    return options[chosen]


def _left_out(file, columns):
    """Columns that are no features, such as numbers of customers or years; None for none."""
    seed("data_file_leave_out", [name for name in file.leave_out or () if name in columns])
    chosen = st.multiselect("Leave out columns", [name for name in columns if name], key="data_file_leave_out",
                            placeholder="None", help="What numbers or dates a point does not say what it is like.")  # fmt: skip
    return tuple(chosen) or None


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
    _open(room, FileChoice(path=str(main_file(paths))))


def _open(room, file):
    """A new file starts with nothing asked for, unless by a link: what suited the last one need not suit it."""
    cleaning, room.linked = room.linked or Cleaning(), None
    room.put(replace(room.choices, way="file", file=file, cleaning=cleaning))

