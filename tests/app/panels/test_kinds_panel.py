"""The picture of each kind as Streamlit draws it, with nothing selected and with some rows."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from leasc_core.data.columns.info import ColumnInfo
from leasc_core.data.columns.metadata import metadata_of
from leasc_core.data.layout import Layout
from leasc_core.data.sources import open_source

RNG = np.random.default_rng(0)
TITLES = {
    "cube": "Map",
    "tracks": "Tracks",
    "series": "Along time",
    "counts": "What marks each cluster",
    "texts": "Texts",
    "pictures": "All clusters at once",
}


def result(kind):
    """As much of a result as the panel asks for: 24 rows of 12 numbers in two clusters."""
    source = open_source(RNG.poisson(4, (24, 12)).astype(float))
    shapes = {"cube": (4, 6, 12), "tracks": (24, 6, 2), "series": (24, 4, 3), "counts": (24, 12)}
    source.layout = Layout(kind, shapes[kind], step=4) if kind in shapes else None
    source.feature_names = [f"gene {at}" for at in range(12)]
    if kind == "texts":
        source.columns = (ColumnInfo("note", "text", "text"),)
        source.metadata = metadata_of({"note": np.array(["a cat", "a dog"] * 12, object)})
    data = SimpleNamespace(source=source, image_shape=(3, 4) if kind == "pictures" else None, recipe={})
    return SimpleNamespace(data=data, labels=np.arange(24) % 2, count=2, sizes=np.array([12, 12]), folder=Path(f"run of {kind}"))


def page(kind, rows):
    import numpy as np

    from leasc_ui.panels.kinds import show_kind
    from tests.app.panels.test_kinds_panel import result

    class Picks:
        picked = None if rows is None else "rows~1~3"

        def selected(self, folder):
            return None if rows is None else np.array(rows)

    show_kind(result(kind), ["one", "two"], Picks())


@pytest.mark.parametrize("rows", [None, [1, 3]], ids=["nothing selected", "two rows"])
@pytest.mark.parametrize("kind", TITLES)
def test_a_kind_has_its_picture(kind, rows):
    app = AppTest.from_function(page, kwargs={"kind": kind, "rows": rows}).run(timeout=30)
    assert not app.exception and [title.value for title in app.subheader] == [TITLES[kind]]
