"""Charts as files that need nothing else: each as a page that answers the pointer, as a drawing and as a picture."""

import json
import re
import zipfile
from io import BytesIO

import numpy as np

from leasc_ui.theme import colour

WIDTH = 760
DOTS_PER_POINT = 2
EITHER = re.compile(r"light-dark\(([^,()]+),([^,()]+)\)")


def charts_zip(charts, dark=False):
    """``charts`` maps a name to a ``Chart``: of each ``name.html``, ``name.svg`` and ``name.png``."""
    import vl_convert

    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, chart in charts.items():
            spec = whole(chart, dark)
            archive.writestr(f"{name}.html", vl_convert.vegalite_to_html(spec, bundle=True))
            archive.writestr(f"{name}.svg", vl_convert.vegalite_to_svg(spec))
            archive.writestr(f"{name}.png", vl_convert.vegalite_to_png(spec, scale=DOTS_PER_POINT))
    return stream.getvalue()


def whole(chart, dark=False):
    """The specification with its table in it and with plain colours: outside a browser nobody knows light from dark."""
    spec = {name: part for name, part in chart.spec.items() if name != "usermeta"}
    ground = {"background": colour("paper"), "width": WIDTH, "description": chart.alt, "config": _config()}
    table = chart.data.astype(object).where(chart.data.notna(), None).to_dict("records")
    written = json.dumps({**ground, **spec, "data": {"values": table}}, default=_plain)
    return json.loads(EITHER.sub(lambda either: either.group(2 if dark else 1).strip(), written))


def _config():
    """What Streamlit's theme gives to a chart on a page."""
    words = {"labelColor": colour("muted"), "titleColor": colour("muted")}
    lines = {"gridColor": colour("line"), "domainColor": colour("line"), "tickColor": colour("line")}
    return {"axis": {**words, **lines}, "legend": words, "view": {"stroke": None}, "font": "sans-serif"}


def _plain(value):
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else str(value)
