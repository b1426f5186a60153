"""``python -m benchmarks.attack``: a server under attack, each figure beside its limit; ``--only noisy`` measures one thing."""

import argparse
import time

from ..app.__main__ import line
from ..meter import table
from . import crowd, doors, kills, noisy

PARTS = {"doors": doors.doors, "noisy": noisy.noisy, "kills": kills.kills, "visits": crowd.visits, "crowd": crowd.at_once}


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS, action="append", help="measure only this; may be given again")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options, rows = parser.parse_args(argv), []
    for name in options.only or PARTS:
        begun = time.perf_counter()
        rows += [line(*row) for row in PARTS[name](options.quick)]
        print(f"{name}: measured in {time.perf_counter() - begun:.0f} s", flush=True)
    table(("what", "figure", "limit", "met"), rows)


if __name__ == "__main__":
    main()
