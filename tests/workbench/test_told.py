"""The profile as a table: numbers as a person writes them, the same figures in CSV as pandas reads back."""

from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from leasc_core.workbench.profile import profile
from leasc_core.workbench.told import Facts, amount, csv_of, high_and_low, table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (31.2, "31.2"),
        (101325.4, "101,325"),
        (-0.0526, "-0.0526"),
        (0, "0"),
        (1e-5, "1.00e-05"),
        (float("nan"), "none"),
        (20, "20"),
    ],
)
def test_numbers_as_a_person_writes_them(value, text):
    assert amount(value) == text


def test_the_table_tells_the_coldest_as_cold_and_the_csv_holds_pandas_figures():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"temp": rng.normal(20, 2, 300), "=load": rng.normal(5, 1, 300)})
    labels = np.repeat([0, 1, 2], 100)
    frame.loc[labels == 1, "temp"] -= 30
    found = profile(frame.to_numpy(), labels, columns=list(frame))
    facts = Facts(["a", "b", "+c"], confidence=[0.9, None, 1.0])
    high, low = high_and_low(found, 1)
    assert not high and low[0].startswith("temp -")
    assert table(found, facts)[1]["confidence"] is None
    back = pd.read_csv(BytesIO(csv_of(found, facts)))
    assert back["cluster"].tolist() == ["a", "b", "'+c"]
    np.testing.assert_allclose(back["median temp"], frame.temp.groupby(labels).median())
    np.testing.assert_allclose(back["mean =load"], frame["=load"].groupby(labels).mean())
