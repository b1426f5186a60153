"""Charts as files that need nothing else: each as a page that answers the pointer, as a drawing and as a picture."""

import json
import re
import zipfile
from functools import cache
from io import BytesIO

from leasc_core.runs.records import plain
from leasc_ui.frame.theme import colour

WIDTH = 760
DOTS_PER_POINT = 2
# In a page's script no text of the data may end the script, begin another or end a line.
WRITTEN_OUT = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
EITHER = re.compile(r"light-dark\(([^,()]+),([^,()]+)\)")


def charts_zip(charts, dark=False):
    """``charts`` maps a name to a ``Chart``: of each ``name.html``, ``name.svg`` and ``name.png``."""
    import vl_convert

    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, chart in charts.items():
            spec = whole(chart, dark)
            archive.writestr(f"{name}.html", page(spec))
            archive.writestr(f"{name}.svg", vl_convert.vegalite_to_svg(spec))
            archive.writestr(f"{name}.png", vl_convert.vegalite_to_png(spec, scale=DOTS_PER_POINT))
    return stream.getvalue()


def page(spec):
    """A chart as a page of its own that needs no network, and in which nothing of the data is anything but text."""
    before, after = _empty_page()
    return before + json.dumps(spec).translate(WRITTEN_OUT) + after


@cache
def _empty_page():
    """What stands before and after the specification in such a page."""
    import vl_convert

    empty = vl_convert.vegalite_to_html({"mark": "point"}, bundle=True)
    at = empty.rindex("const spec = ") + len("const spec = ")
    return empty[:at], empty[empty.index(";\n", at) :]


def whole(chart, dark=False):
    """The specification with its table in it and with plain colours: outside a browser nobody knows light from dark."""
    spec = {name: part for name, part in chart.spec.items() if name != "usermeta"}
    ground = {"background": colour("paper"), "width": WIDTH, "description": chart.alt, "config": _config()}
    table = chart.data.astype(object).where(chart.data.notna(), None).to_dict("records")
    written = json.dumps({**ground, **spec, "data": {"values": table}}, default=plain)
    return json.loads(EITHER.sub(lambda either: either.group(2 if dark else 1).strip(), written))


def _config():
    """What Streamlit's theme gives to a chart on a page."""
    words = {"labelColor": colour("muted"), "titleColor": colour("muted")}
    lines = {"gridColor": colour("line"), "domainColor": colour("line"), "tickColor": colour("line")}
    return {"axis": {**words, **lines}, "legend": words, "view": {"stroke": None}, "font": "sans-serif"}
