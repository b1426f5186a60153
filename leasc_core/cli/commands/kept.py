"""``kept``: what runs, uploads and converted copies take on this machine's disk, and freeing what was not used for long."""

import json

from ..terminal import pairs

USAGE = "[--older DAYS] [--free] [--json]"
DESCRIPTION = """\
List what is kept under LEASC_RUNS and LEASC_CACHE: runs, the data they were made from, uploads, converted copies. Nothing is
removed without --free; what a process is working on never is."""
EPILOG = """\
examples:
  kept                        what there is, the longest unused first
  kept --older 30             only what nobody used for thirty days
  kept --older 30 --free      remove it"""
MOST_TOLD = 40


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("--older", type=float, default=0.0, metavar="DAYS", help="only what was not used for so many days (0)")
    parser.add_argument("--free", action="store_true", help="remove what is listed; needs --older")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, nothing else")


def run(options):
    """List, free where that is asked; returns the exit code."""
    from ...runs.budget import readable_bytes
    from ...runs.kept import stored_folders

    if options.free and options.older <= 0:
        options.refuse("say with --older how many days unused is long enough")
    found = [kept for kept in stored_folders() if kept.days >= options.older]
    gone = [kept for kept in found if options.free and kept.free()]
    if options.json:
        rows = [{"kind": kept.kind, "path": str(kept.path), "bytes": kept.bytes, "days": round(kept.days, 2)} for kept in found]
        print(json.dumps({"kept": rows, "freed": [str(kept.path) for kept in gone]}))
        return 0
    told = [
        (f"{kept.days:.0f} days", f"{readable_bytes(kept.bytes):>10}  {kept.kind}  {kept.path}") for kept in found[:MOST_TOLD]
    ]
    pairs(told)
    more = f", of which {MOST_TOLD} are shown" if len(found) > MOST_TOLD else ""
    print(f"{len(found):,} kept, {readable_bytes(sum(kept.bytes for kept in found))}{more}.")
    if options.free:
        print(f"{len(gone):,} removed, {readable_bytes(sum(kept.bytes for kept in gone))} freed.")
    return 0
