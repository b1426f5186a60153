"""``python -m benchmarks.app``: how quick the app feels, in a real Chromium, each figure beside its limit.

``--only paint`` measures one thing (``--help`` lists them); ``--quick`` fewer times and with fewer visitors. A server of its own
is started on a free port for every part, and the data lie in temporary folders. Times are the browser's own.
"""

import argparse
import time
import traceback

from ..meter import table
from . import crowd, tour, visitor

PARTS = {
    "paint": visitor.paint,
    "slider": visitor.slider,
    "tour": tour.tour,
    "training": visitor.training,
    "million": crowd.million,
    "memory": crowd.memory,
    "ten": crowd.ten,
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


def measured(name, quick):
    """The rows of a part. One that fails on a busy machine is tried again; what fails twice is told in the table, and the others
    go on."""
    for attempt in (1, 2):
        begun = time.perf_counter()
        try:
            rows = [line(*row) for row in PARTS[name](quick)]
        except Exception as problem:
            here = [frame.name for frame in traceback.extract_tb(problem.__traceback__) if "benchmarks" in frame.filename]
            reason = f"{(str(problem).strip() or type(problem).__name__).splitlines()[0]} In {' > '.join(here[1:])}"
            print(f"{name}: failed after {time.perf_counter() - begun:.0f} s ({reason})", flush=True)
            continue
        again = ", at the second attempt" if attempt > 1 else ""
        print(f"{name}: measured in {time.perf_counter() - begun:.0f} s{again}", flush=True)
        return rows
    return [(f"{name}: {reason}"[:110], "not measured", "–", "NO")]


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append", help="measure only this; may be given again")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and fewer visitors")
    options = parser.parse_args(argv)
    rows = []
    try:
        for name in options.only or PARTS:
            rows += measured(name, options.quick)
    finally:
        # Also where somebody lost patience: what was measured before is not lost.
        print()
        table(("what", "figure", "limit", "met"), rows)


if __name__ == "__main__":
    main()
