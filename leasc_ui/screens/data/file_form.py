"""A file as widgets: upload it or choose it on the server, then say how it is to be read."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from leasc_core.data.guards import size_text
from leasc_core.data.reading.beside import TRUTH_FILES
from leasc_core.data.reading.moments import track_columns
from leasc_core.errors import LeascError
from leasc_ui.data.choices import TEXT, Cleaning, FileChoice
from leasc_ui.data.files import main_file
from leasc_ui.frame.visitor import visitor
from leasc_ui.frame.words import from_data
from leasc_ui.screens.data.state import WIDGETS, file_facts
from leasc_ui.session.pipeline import fingerprint_of
from leasc_ui.work import uploads

FOUND, NO_LABELS = "found by itself", "no labels"
SEPARATORS = {None: FOUND, ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
DECIMALS = {None: FOUND, ".": "point", ",": "comma"}
ENCODINGS = {None: FOUND} | {
    name: name for name in ("utf-8", "cp1252", "cp1250", "cp1251", "utf-16", "shift_jis", "gb18030", "euc_kr", "mac_roman")
}
YES_OR_NO = {None: FOUND, True: "yes", False: "no"}
AXES = ("first", "second", "third")
ORIENTATIONS = {None: FOUND, False: "rows", True: "columns"}


# What a visitor may bring, in words.
FORMATS = (
    "Tables: CSV and other text, Excel, OpenDocument, Parquet, Feather, JSON Lines, ARFF, libsvm. Arrays: NumPy, MATLAB, HDF5, "
    "AnnData, Matrix Market, IDX. Scenes: ENVI, TIFF. Series: .ts. Pictures: a zip. What belongs together (a header, a truth "
    "map, labels, genes and barcodes, a frame) is uploaded together. An upload that is not opened for two days is removed."
)


def file_form(state):
    """Upload, or choose on the server; then how to read it."""
    st.file_uploader(
        "Upload", key=f"data_upload_{state.uploads}", accept_multiple_files=True, on_change=_receive, args=(state,), help=FORMATS
    )
    folder = uploads.server_folder()
    if folder is not None:
        _server_form(state, folder)
    if state.choices.file.path:
        try:
            _reading_form(state)
        except LeascError as problem:
            state.problem = str(problem)


def _server_form(state, folder):
    names = uploads.server_files(folder)
    now = state.choices.file

    def choose():
        name = st.session_state["data_server"]
        if name:
            _open(state, FileChoice(path=name, root="server"))

    shown = now.path if now.root == "server" and now.path in names else None
    _menu("server", "Or a file on the server", names, shown, placeholder="Choose a file", on_change=choose)


def _reading_form(state):
    file = state.choices.file
    if file.root == "uploads" and len(state.stored) > 1:

        def choose():
            _open(state, FileChoice(st.session_state["data_file_path"]))

        _menu("file_path", "File", state.stored, file.path, format_func=lambda path: Path(path).name, on_change=choose)
    place = file.place()
    facts = file_facts(file)
    st.caption(f"**{from_data(place.name)}**, {facts.format}, {size_text(facts.size)}")
    given = _parts_form(state, file, facts)
    if set(TEXT) <= facts.options:
        with st.expander("How the table is written"):
            given["separator"] = _select("Separator", file.separator, SEPARATORS)
            given["decimal"] = _select("Decimal mark", file.decimal, DECIMALS)
            given["encoding"] = _select("Encoding", file.encoding, ENCODINGS)
            given["header"] = _select("First line names the columns", file.header, YES_OR_NO)
    state.choices = replace(state.choices, file=replace(file, **given))


def _parts_form(state, file, facts):
    """Which part of the file is taken, and what its rows are."""
    given = {"label": file.label}
    if len(facts.sheets) > 1:
        given["sheet"] = _select("Sheet", file.sheet, {None: FOUND} | {name: from_data(name) for name in facts.sheets})
    usable = [info for info in facts.arrays if info.role != "not numeric"]
    if len(usable) > 1:
        words = {None: FOUND} | {info.name: f"{info.name}, {_shape(info)}" for info in usable}
        given["array"] = _select("Array", file.array, words)
    shape = facts.shape_of(file.array)
    labels = [] if "roles" in facts.options else [info.name for info in facts.arrays] + _truth_files(state, file)
    if labels or len(shape) == 3:
        words = {None: FOUND, False: NO_LABELS} | {name: name for name in labels}
        given["label"] = _select("Labels", file.label, words, "Labels are shown and scored, never used.")
    if len(shape) == 3:
        words = {None: FOUND} | {str(axis): f"{AXES[axis]} axis, {length:,} long" for axis, length in enumerate(shape)}
        words["none"] = "none: a stack of pictures"
        given["spectrum"] = _select("Spectrum", file.spectrum, words, "Pixels are the points of a scene in many bands.")
        given["background"] = _number("Background value", file.background, "What marks pixels that belong to nothing.")
    if track_columns(facts.columns):
        given["tracks"] = _select("Rows are", file.tracks, {None: FOUND, True: "moments of tracks", False: "points"})
    elif file.window or any(column.role == "time" for column in facts.columns):
        window = _number("Rows in a window", file.window, "Cut a series of one moment a row into windows; empty: none.", 2)
        given["window"] = None if window is None else int(window)
    if len(shape) != 3 or file.spectrum == "none":
        given["transpose"] = _select("Points are", file.transpose, ORIENTATIONS, "Whether a row or a column is one point.")
    return given


def _truth_files(state, file):
    """Other uploads of the same folder that may hold the truth map of a scene."""
    place = Path(file.path)
    others = [Path(path) for path in state.stored if path != file.path and Path(path).parent == place.parent]
    return [path.name for path in others if path.name.lower().endswith(TRUTH_FILES)]


def _number(title, value, meaning, least=None):
    def draw(default=None, **given):
        return st.number_input(title, value=default, min_value=least, step=1 if least else None, help=meaning, **given)

    return WIDGETS.show(f"file_{title}", value, draw)


def _select(title, value, words, meaning=None):
    """A menu of ``words``. A key may be None, which Streamlit would take for no choice, so its options are positions."""
    options = tuple(words)
    shown = options.index(value) if value in options else 0
    more = {"format_func": lambda at: str(words[options[at]]), "help": meaning}
    return options[_menu(f"file_{title}_{fingerprint_of(options)}", title, range(len(options)), shown, **more)]


def _menu(name, title, options, shown, **more):
    def draw(default=None, **given):
        return st.selectbox(title, options, index=None if default is None else options.index(default), **given, **more)

    return WIDGETS.show(name, shown, draw)


def _shape(info):
    return " × ".join(f"{length:,}" for length in info.shape)


def _receive(state):
    """Take in what was uploaded, and empty the uploader, which would hold it in memory."""
    take_uploads(state, st.session_state.get(f"data_upload_{state.uploads}"))


def take_uploads(state, given):
    """Keep uploaded files on disk, and let the page read them; of no files nothing changes."""
    if not given:
        return
    try:
        folder = uploads.new_folder(visitor())
        paths = [uploads.store(folder, each.name, each) for each in given]
    except LeascError as problem:
        state.problem = str(problem)
        return
    state.uploads += 1
    state.stored = tuple(str(path) for path in paths)
    _open(state, FileChoice(path=str(main_file(paths))))


def _open(state, file):
    """A new file starts with nothing asked for, unless by a link: what suited the last one need not suit it."""
    cleaning, state.linked = state.linked or Cleaning(), None
    state.put(replace(state.choices, way="file", file=file, cleaning=cleaning))
