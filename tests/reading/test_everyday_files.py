"""Thirty files as people have them: each opens with the right roles, or says in one sentence what to do.

Before columns had roles, 4 of the 30 opened so, 20 were refused, and 6 opened with columns lost or classes among the features.
"""

import io
import zipfile

import numpy as np
import pandas as pd
import pytest

from leasc_core.data.reading import load_data
from leasc_core.errors import DataError

ROWS = 40
rng = np.random.default_rng(7)
LENGTH, WEIGHT = np.round(rng.normal(50_000, 9_000, ROWS), 2), np.round(rng.normal(3, 1, ROWS), 3)
KIND, DAY = np.arange(ROWS) % 3, pd.date_range("2024-01-01", periods=ROWS)
NAMES = [f"probe {at} from {['north', 'south', 'east'][at % 3]}, {at * 7}" for at in range(ROWS)]
F, L, I, T, X, U, P, C, W = "feature", "label", "id", "time", "text", "link", "picture", "category", "weight"
O = "left out"


def german(value, digits=2):
    return f"{value:,.{digits}f}".replace(",", "_").replace(".", ",").replace("_", ".")


def rows(header, *columns, separator=",", end="\n"):
    lines = [header, *(separator.join(map(str, row)) for row in zip(*columns, strict=True))]
    return end.join(line for line in lines if line is not None) + end


def quoted(values):
    return [f'"{value}"' for value in values]


def parquet(**columns):
    buffer = io.BytesIO()
    pd.DataFrame(columns).to_parquet(buffer)
    return buffer.getvalue()


SEMI = {"separator": ";"}
EURO = [german(value) + " €" for value in LENGTH]
THOUSANDS, DOLLARS = [f"{value:,.2f}" for value in LENGTH], [f"${value:,.2f}" for value in LENGTH]
PERCENT, KG = [f"{value:.1f} %" for value in WEIGHT], [f"{value:.3f} kg" for value in WEIGHT]
COMMA, LINKS = [german(value, 3) for value in WEIGHT], [f"https://example.org/{at}" for at in range(ROWS)]
PLAIN = (LENGTH, WEIGHT)
EVERYDAY = {
    "plain.csv": (rows("length,weight", *PLAIN), [F, F]),
    "tabs.tsv": (rows("length\tweight\tspecies", *PLAIN, KIND, separator="\t"), [F, F, L]),
    "german.csv": (rows("Länge;Gewicht;Klasse", map(german, LENGTH), COMMA, KIND, **SEMI).encode("cp1252"), [F, F, L]),
    "euro.csv": (rows("Preis;Menge", EURO, COMMA, **SEMI).encode("cp1252"), [F, F]),
    "latin1.csv": (rows("größe,gewicht", *PLAIN).encode("latin-1"), [F, F]),
    "excel_unicode.txt": (rows("length\tweight\tname", *PLAIN, NAMES, separator="\t").encode("utf-16"), [F, F, X]),
    "utf16le.csv": (rows("length,weight", *PLAIN).encode("utf-16-le"), [F, F]),
    "bom.csv": (rows("length,weight", *PLAIN, end="\r\n").encode("utf-8-sig"), [F, F]),
    "cyrillic.csv": (
        rows("длина;масса;город", *PLAIN, ["Москва", "Казань", "Самара", "Омск"] * 10, **SEMI).encode("cp1251"),
        [F, F, L],
    ),
    "thousands.csv": (rows("length,weight", quoted(THOUSANDS), WEIGHT), [F, F]),
    "dollars.csv": (rows("price,weight", quoted(DOLLARS), WEIGHT), [F, F]),
    "swiss.csv": (rows("CHF;kg", [f"{value:,.2f}".replace(",", "'") for value in LENGTH], WEIGHT, **SEMI), [F, F]),
    "french.csv": (rows("prix;poids", [german(v).replace(".", "\u202f") for v in LENGTH], COMMA, **SEMI), [F, F]),
    "percent.csv": (rows("length,share", LENGTH, PERCENT), [F, F]),
    "units.csv": (rows("length,mass", LENGTH, KG), [F, F]),
    "units_row.csv": (rows("length,weight\n[mm],[kg]", *PLAIN), [F, F]),
    "merged_header.csv": (rows("Size,,Price\nlength,weight,net", *PLAIN, WEIGHT * 2), [F, F, F]),
    "title.csv": (rows("Report of the laboratory\n\nlength;weight;day", *PLAIN, DAY.strftime("%d.%m.%Y"), **SEMI), [F, F, T]),
    "title_padded.csv": (rows("Report 2024,,\n,,\nlength,weight,day", *PLAIN, DAY.strftime("%Y-%m-%d")), [F, F, T]),
    "index.csv": (rows(",length,weight", range(ROWS), *PLAIN), [I, F, F]),
    "r_rownames.csv": (rows('"length","weight"', quoted([f"r{at}" for at in range(ROWS)]), *PLAIN), [I, F, F]),
    "shop.csv": (
        rows("customer_id,since,total,visits,url", range(9000, 9000 + ROWS), DAY.strftime("%m/%d/%Y"), LENGTH, WEIGHT, LINKS),
        [I, T, F, F, U],
    ),
    "classes.csv": (rows("length,weight,grade", *PLAIN, KIND), [F, F, L]),
    "groups.csv": (rows("length,weight,sex,site", *PLAIN, KIND % 2, [7, 8, 9, 7] * 10), [F, F, C, C]),
    "notes.csv": (rows("length,weight,note", *PLAIN, [f'"{name}\nsecond ""line"""' for name in NAMES]), [F, F, X]),
    "pictures.csv": (rows("file,length,weight", [f"img/{at}.jpg" for at in range(ROWS)], *PLAIN), [P, F, F]),
    "twins.csv": (rows("length,length,zip", *PLAIN, [f"{at * 37:05d}" for at in range(ROWS)]), [F, F, I]),
    "weights.csv": (rows("length,weight,sample_weight,", *PLAIN, WEIGHT, [""] * ROWS), [F, F, W, O]),
    "years.csv": (rows("country,2019,2020,2021", ["Chad", "Peru", "Oman", "Fiji"] * 10, *PLAIN, WEIGHT), [L, F, F, F]),
    "embedding.parquet": (
        parquet(text=NAMES, vector=list(rng.normal(size=(ROWS, 4))), when=DAY, flag=KIND == 1),
        [X, F, T, F],
    ),
}
VALUES = {"german.csv", "euro.csv", "thousands.csv", "dollars.csv", "swiss.csv", "french.csv", "units.csv", "percent.csv"}


@pytest.mark.parametrize("name", EVERYDAY)
def test_an_everyday_file_opens_with_the_right_roles(name):
    body, roles = EVERYDAY[name]
    data = load_data(body if isinstance(body, bytes) else body.encode(), name=name)
    assert [column.role for column in data.columns] == roles, [(c.name, c.role, c.why) for c in data.columns]
    assert len(data.X) == ROWS and all(column.why for column in data.columns)
    if name in VALUES:
        truth = WEIGHT if name in ("percent.csv",) else LENGTH
        at = 1 if name == "percent.csv" else 0
        np.testing.assert_allclose(data.X[:, at], np.round(truth, 1) if at else truth, rtol=1e-12)
        if not at:
            np.testing.assert_allclose(data.X[:, 1], WEIGHT, rtol=1e-12)


def test_there_are_thirty():
    assert len(EVERYDAY) == 30


def test_names_of_two_lines_and_of_units():
    assert load_data(EVERYDAY["merged_header.csv"][0].encode(), name="a.csv").feature_names == [
        "Size length",
        "Size weight",
        "Price net",
    ]
    assert load_data(EVERYDAY["units_row.csv"][0].encode(), name="a.csv").feature_names == ["length [mm]", "weight [kg]"]


def test_a_quoted_cell_keeps_its_lines_and_quotes():
    data = load_data(EVERYDAY["notes.csv"][0].encode(), name="a.csv")
    assert data.metadata.column("note")[3] == f'{NAMES[3]}\nsecond "line"'


def test_names_in_a_remark_above_the_data_as_savetxt_writes_them():
    out = io.StringIO()
    np.savetxt(out, np.column_stack([np.arange(ROWS) / 2, WEIGHT, KIND]), header="logger 2.1\ntime[s] speed[m/s] state")
    data = load_data(out.getvalue().encode(), name="log.dat")
    assert [column.name for column in data.columns] == ["time[s]", "speed[m/s]", "state"]
    assert np.array_equal(data.X[:, 1], WEIGHT)


def test_what_r_writes_with_blanks_inside_quotation_marks():
    lines = ['"length" "treated" "kind of plant"', *(f'"{at + 1}" {w} TRUE "a {at % 2} b"' for at, w in enumerate(WEIGHT))]
    data = load_data("\n".join(lines).encode(), name="a.txt", roles={"treated": "one-hot"})
    assert [column.role for column in data.columns] == [I, F, F, L]
    assert np.array_equal(data.X[:, 0], WEIGHT) and data.label_names == ["a 0 b", "a 1 b"]


@pytest.mark.parametrize(
    "below",
    [
        "\nSource: laboratory, 2024\n",
        "# end of file\n",
        '\n\n"Data from database: Indicators, 2024"\n"Last Updated: today"\n',
        "__________\n© Statistisches Bundesamt (Destatis) | 2024\nStand: heute\n",
        "* preliminary",
    ],
)
@pytest.mark.parametrize("separator", [";", ","])
def test_remarks_below_a_table_are_left_out(below, separator):
    if separator == "," and below.startswith("\nSource"):
        below = "\nSource: laboratory 2024\n"
    data = load_data((rows("length;weight".replace(";", separator), *PLAIN, separator=separator) + below).encode(), name="a.csv")
    assert len(data.X) == ROWS and "below the table left out" in data.notes[-1]


def test_a_row_of_sums_is_said_to_be_there():
    body = rows("item,length,weight", [f"item {at}" for at in range(ROWS - 1)] + ["Total"], *PLAIN)
    assert "the last row is named 'Total'" in load_data(body.encode(), name="a.csv").notes[-1]


@pytest.mark.parametrize("cut", ["1.5", "1.5 2", "ab"])
def test_a_line_that_is_cut_short_is_no_remark(cut):
    with pytest.raises(DataError, match="line 42 has 1 cells where 2 are expected"):
        load_data((rows("length,weight", *PLAIN) + cut).encode(), name="a.csv")


def test_a_column_with_one_text_is_no_label():
    body = rows("length,weight,currency", *PLAIN, ["EUR"] * ROWS)
    assert [column.role for column in load_data(body.encode(), name="a.csv").columns] == [F, F, C]


@pytest.mark.parametrize(
    "written", [lambda row: str(row.tolist()), lambda row: str(row), lambda row: f"({'; '.join(map(str, row))})"]
)
def test_lists_of_numbers_in_the_cells_of_a_text_table(written):
    """As pandas and NumPy write embeddings."""
    vectors = np.round(rng.normal(size=(ROWS, 6)), 4)
    cells = [f'"{written(row)}"' for row in vectors]
    body = rows("text,embedding", quoted(NAMES), cells)
    data = load_data(body.encode(), name="a.csv")
    assert [column.role for column in data.columns] == [X, F] and data.feature_names[:2] == ["embedding[0]", "embedding[1]"]
    np.testing.assert_allclose(data.X, vectors)
    cells[7], cells[9] = '""', '"[1.0, 2.0]"'
    with pytest.raises(
        DataError, match=r"'\[1.0, 2.0\]' in column 'embedding' near line 11, where lists of 6 numbers are expected"
    ):
        load_data(rows("text,embedding", quoted(NAMES), cells).encode(), name="a.csv")
    cells[9] = cells[8]
    assert np.isnan(load_data(rows("text,embedding", quoted(NAMES), cells).encode(), name="a.csv").X).all(axis=1).nonzero()[
        0
    ] == [7]


def test_bands_that_count_evenly_are_names():
    bands = [np.round(rng.normal(1, 0.1, ROWS), 4) for _ in range(6)]
    data = load_data(rows("400,410,420,430,440,450", *bands).encode(), name="a.csv")
    assert data.feature_names == ["400", "410", "420", "430", "440", "450"] and len(data.X) == ROWS
    counted = 7 + np.arange(60).reshape(10, 6)
    assert len(load_data(rows(None, *counted.T).encode(), name="a.csv").X) == 10


@pytest.mark.parametrize(
    ("header", "label"),
    [("Pclass,Survived,Fare,Age", "Survived"), ("size,work,Outcome,age", "Outcome"), ("a,b,cell_type,c", "cell_type")],
)
def test_names_of_classes(header, label):
    whole = KIND % 2
    columns = [whole if name in (label, "Pclass") else LENGTH + at for at, name in enumerate(header.split(","))]
    named = load_data(rows(header, *columns).encode(), name="a.csv").columns
    assert [column.name for column in named if column.role == "label"] == [label]


def test_y_beside_x_is_no_label():
    body = rows("x,y,height", LENGTH, 7 * np.arange(ROWS) % 41, WEIGHT)
    assert [column.role for column in load_data(body.encode(), name="a.csv").columns] == [F, F, F]


def test_names_over_several_columns_may_have_numbers_below_them():
    body = rows("Fluorescence,,Absorbance,\n485/520,540/590,260,280", LENGTH, WEIGHT, WEIGHT, LENGTH)
    names = load_data(body.encode(), name="a.csv").feature_names
    assert names == ["Fluorescence 485/520", "Fluorescence 540/590", "Absorbance 260", "Absorbance 280"]


@pytest.mark.parametrize(
    ("name", "body", "names"),
    [
        ("a.csv", "sep=;\r\n" + rows("length;weight", *PLAIN, separator=";", end="\r\n"), ["length", "weight"]),
        ("a.csv", '"length\n(mm)","weight\n(kg)"\n' + rows(None, *PLAIN), ["length (mm)", "weight (kg)"]),
        ("a.md.txt", rows("| length | weight |\n|---|---:|", ["", *[""] * (ROWS - 1)], *PLAIN, [""] * ROWS, separator="|"), None),
        ("a.xls", rows("length\tweight", *PLAIN, separator="\t"), ["length", "weight"]),
    ],
)
def test_what_programs_put_around_a_table(name, body, names):
    data = load_data(body.encode(), name=name)
    np.testing.assert_array_equal(data.X, np.column_stack(PLAIN))
    assert data.feature_names == (names or ["length", "weight"])


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp850", "utf-16", "utf-8-sig"])
def test_western_texts_in_any_encoding(encoding):
    places = [
        "Köln",
        "Zürich",
        "Besançon",
        "Málaga",
        "Gießen",
        "Århus",
        "Łódź" if encoding.startswith("utf") else "Lodz",
        "été à",
    ] * 5
    data = load_data(rows("größe,höhe,ort", *PLAIN, places).encode(encoding), name="a.csv")
    assert data.feature_names == ["größe", "höhe"] and data.label_names == sorted(set(places))


@pytest.mark.parametrize("written", ["%b %Y", "%b-%y", "%B %Y", "%Y-%m", "%Y-Q%q", "%d %b %Y"])
def test_months_and_quarters_are_times(written):
    days = pd.period_range("2015-01", periods=ROWS, freq="M").strftime(written)
    assert [column.role for column in load_data(rows("month,a,b", days, *PLAIN).encode(), name="a.csv").columns] == [T, F, F]


def test_a_zip_of_a_table_says_what_it_holds():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("export/table.csv", "a,b\n1,2\n")
    with pytest.raises(DataError, match=r"is a zip archive of export/table.csv; unpack it and open what is in it"):
        load_data(out.getvalue(), name="a.zip")


@pytest.mark.parametrize(
    ("body", "said"),
    {
        "a;b\n1,5,2;3\n1,2,3;4\n": "no column of numbers|2 columns of numbers|at least 2",
        "a,b\n1,5,2,5\n3,5,4,5\n": "comma separates columns and decimals",
        "size,cost\n3 kg,1\n500 g,2\n4 kg,3\n2 kg,1\n1 kg,9\n": "at least 2",
    }.items(),
)
def test_what_cannot_be_read_is_said_in_one_sentence(body, said):
    with pytest.raises(DataError, match=said) as refusal:
        load_data(body.encode(), name="a.csv")
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)
