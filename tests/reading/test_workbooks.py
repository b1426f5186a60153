"""Workbooks written by openpyxl, xlwt and pandas (odfpy): sheets, names over several columns, formulas, errors, passwords."""

import datetime
import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

from leasc_core import load_data, open_source
from leasc_core.errors import DataError

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {"length": RNG.normal(size=30).round(3), "width": RNG.normal(size=30).round(3), "depth": RNG.normal(size=30)}
)
FRAME["species"] = np.array(["a", "b", "c"])[RNG.integers(0, 3, 30)]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


def book(*sheets):
    """The bytes of a workbook of `(name, rows)`."""
    whole = openpyxl.Workbook()
    whole.remove(whole.active)
    for name, rows in sheets:
        sheet = whole.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    whole.save(out)
    return out.getvalue()


def numbers(rows=20):
    return [["x", "y", "kind"]] + [[float(a), float(b), "ab"[at % 2]] for at, (a, b) in enumerate(RNG.normal(size=(rows, 2)))]


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_the_three_formats_give_the_frame_back(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    if suffix == ".xls":
        import xlwt

        whole = xlwt.Workbook()
        sheet = whole.add_sheet("Sheet1")
        for at, row in enumerate([list(FRAME), *FRAME.to_numpy(object).tolist()]):
            for column, value in enumerate(row):
                sheet.write(at, column, value)
        whole.save(path)
    else:
        FRAME.to_excel(path, index=False)
    for data in (load_data(path), load_data(path.read_bytes(), name=path.name)):
        assert np.allclose(data.X, FRAME.to_numpy()[:, :3].astype(float)) and data.feature_names == ["length", "width", "depth"]
        assert [data.label_names[code] for code in data.y] == FRAME["species"].tolist()
    assert np.allclose(open_source(path).rows(0, 30), data.X)


def test_sheets_are_listed_and_one_is_chosen():
    stored = book(("Notes", [["written in spring"]]), ("Data", numbers(20)), ("More", numbers(10)))
    data = load_data(stored, name="a.xlsx")
    assert len(data.X) == 20 and "sheet 'Data' taken; sheet= takes another: Notes, More" in data.notes
    assert len(load_data(stored, name="a.xlsx", sheet="More").X) == len(load_data(stored, name="a.xlsx", sheet=2).X) == 10
    with pytest.raises(DataError, match="no sheet 'Else'; choose one of: Notes, Data, More"):
        load_data(stored, name="a.xlsx", sheet="Else")
    with pytest.raises(DataError, match="no table on its sheet 'Notes'"):
        load_data(stored, name="a.xlsx", sheet="Notes")
    with pytest.raises(DataError, match=r"no table on any sheet \(Notes\)"):
        load_data(book(("Notes", [["nothing"], ["here"]])), name="a.xlsx")


def test_names_over_several_columns_dates_and_integers():
    whole = openpyxl.Workbook()
    sheet = whole.active
    sheet.append(["left", None, "right", None, "day", "count"])
    sheet.append(["x", "y", "x", "y", None, None])
    sheet.merge_cells("A1:B1")
    sheet.merge_cells("C1:D1")
    day = datetime.datetime(2024, 5, 1)
    for at in range(20):
        sheet.append([*RNG.normal(size=4), day + datetime.timedelta(days=at), at * 1000])
    out = io.BytesIO()
    whole.save(out)
    data = load_data(out.getvalue(), name="a.xlsx")
    roles = {column.name: column.role for column in data.columns}
    assert [name for name in roles if roles[name] == "time"] == ["day"]
    assert [name.split()[0] for name in data.feature_names[:4]] == ["left", "left", "right", "right"]
    assert data.metadata.column("day")[0].startswith("2024-05-01") if data.metadata.column("day").dtype == object else True


def test_errors_in_cells_are_missing_and_formulas_give_their_last_value():
    import zipfile

    rows = numbers(10)
    rows[3][0], rows[4][1] = "#N/A", "#DIV/0!"
    stored = book(("Data", rows))
    data = load_data(stored, name="a.xlsx")
    assert np.isnan(data.X[2, 0]) and np.isnan(data.X[3, 1]) and np.isnan(data.X).sum() == 2
    # openpyxl writes no results of formulas; one is put in, as Excel would.
    rows = [["x", "y"], [1, 2], ["=A2*2", 3], [5, 6]]
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book(("Data", rows)))) as old, zipfile.ZipFile(out, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            new.writestr(
                member,
                content.replace(b"<f>A2*2</f><v></v>", b"<f>A2*2</f><v>2</v>").replace(
                    b"<f>A2*2</f><v />", b"<f>A2*2</f><v>2</v>"
                ),
            )
    assert load_data(out.getvalue(), name="a.xlsx").X.tolist() == [[1, 2], [2, 3], [5, 6]]


def test_a_workbook_with_a_password_and_one_that_is_none(tmp_path):
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
    with pytest.raises(DataError, match="workbook|Excel|password"):
        load_data(locked, name="a.xlsx")
    with pytest.raises(DataError, match="Excel or OpenDocument"):
        load_data(b"PK\x03\x04" + bytes(200), name="a.xlsx")


def test_numbers_kept_as_texts_are_numbers():
    data = load_data(book(("Data", [["x", "y"], *[[f"{at}.25", f"{1000 * at:,}"] for at in range(12)]])), name="a.xlsx")
    assert np.array_equal(data.X, [[at + 0.25, 1000 * at] for at in range(12)])


def test_formulas_that_no_program_has_calculated():
    rows = [["x", "y", "sum"], *[[at / 2, at * at, f"=A{at + 2}+B{at + 2}"] for at in range(9)]]
    data = load_data(book(("Data", rows)), name="a.xlsx")
    assert np.isnan(data.X[:, 2]).all() and not np.isnan(data.X[:, :2]).any()
    told = "9 cells hold formulas that no program has calculated and count as missing: open the workbook"
    assert any(told in note for note in data.notes)
    with pytest.raises(DataError, match="formulas that no program has calculated; open it in a spreadsheet program and save it"):
        load_data(book(("Data", [["x", "y"], *[["=1", "=2"]] * 5])), name="a.xlsx")


def test_a_workbook_encrypted_by_its_program():
    """It is a compound file with one part of this name, whatever it ends in."""
    with pytest.raises(DataError, match="is protected by a password; open it, save it without the password"):
        load_data(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1016) + "EncryptedPackage".encode("utf-16-le"), name="a.xlsx")


def test_as_many_columns_as_a_sheet_has():
    rows = [[f"c{at}" for at in range(16_384)]] + RNG.normal(size=(3, 16_384)).round(2).tolist()
    assert load_data(book(("Wide", rows)), name="a.xlsx", label=False).X.shape == (3, 16_384)


def test_a_sheet_as_a_laboratory_has_it(tmp_path):
    """A title, an empty row, names over two columns each, a remark below the table."""
    whole = openpyxl.Workbook()
    sheet = whole.active
    for row in (["Plate reader"], [], [None, "Light", None, "Dark"], ["well", "485/520", "540/590", 260, 280, "strain"]):
        sheet.append(row)
    sheet.merge_cells("B3:C3")
    sheet.merge_cells("D3:E3")
    values = RNG.normal(size=(20, 4)).round(3)
    for at, row in enumerate(values):
        sheet.append([f"A{at}", *row.tolist(), ["wt", "mut"][at % 2]])
    sheet.append([])
    sheet.append(["* blank corrected"])
    whole.save(tmp_path / "a.xlsx")
    data = load_data(tmp_path / "a.xlsx")
    assert np.array_equal(data.X, values) and "1 line below the table left out" in data.notes
    assert data.feature_names == ["Light 485/520", "Light 540/590", "Dark 260", "Dark 280"]
    assert [column.name for column in data.columns][::5] == ["well", "strain"]
