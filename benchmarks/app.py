"""``python -m benchmarks.app``: how quick the app feels, in a real Chromium, each figure beside its limit.

``--only paint`` measures one thing (``--help`` lists them); ``--quick`` fewer times and with fewer visitors. A server of its own
is started on a free port for every part, and the data lie in temporary folders. Times are the browser's own.
"""

import argparse
import time

from . import app_crowd, app_tour, app_visitor
from .meter import table

PARTS = {
    "paint": app_visitor.paint,
    "slider": app_visitor.slider,
    "tour": app_tour.tour,
    "training": app_visitor.training,
    "million": app_crowd.million,
    "memory": app_crowd.memory,
    "ten": app_crowd.ten,
}
# Units of figures whose limit is a least, not a most.
AT_LEAST = ("/s", "of")


def line(what, figure, limit, unit):
    """A row of the table; the limit None is no limit."""
    if limit is None:
        return what, f"{figure:.2f} {unit}", "–", ""
    least = unit.startswith(AT_LEAST)
    met = figure >= limit if least else figure <= limit
    return what, f"{figure:.2f} {unit}", f"{'≥' if least else '≤'} {limit:g} {unit}", "yes" if met else "NO"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append", help="measure only this; may be given again")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and fewer visitors")
    options = parser.parse_args(argv)
    rows = []
    try:
        for name in options.only or PARTS:
            begun = time.perf_counter()
            rows += [line(*row) for row in PARTS[name](options.quick)]
            print(f"{name}: measured in {time.perf_counter() - begun:.0f} s", flush=True)
    finally:
        # Also where a part failed: what was measured before it is not lost.
        print()
        table(("what", "figure", "limit", "met"), rows)


if __name__ == "__main__":
    main()
