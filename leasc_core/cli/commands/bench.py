"""``bench``: a quick check of this machine, the paper's tables, one's own data against every method, or a sweep of parameters."""

import argparse
import json
import os
import shlex
import sys
from pathlib import Path

from ...errors import ParameterError
from ..parameters import setting
from ..reading import add_reading_arguments, existing, reading_options
from .bench_output import tell_grid, tell_list, tell_row, tell_table

USAGE = """[RECIPE | DATA -k K] [--methods A,B] [--seeds N] [-o FOLDER]
       python -m leasc_core bench sweep RECIPE|DATA --over NAME=V,V [--over NAME=V,V] [--set NAME=VALUE]
       python -m leasc_core bench league [SET …] [--methods A,B] [--seeds N] [--leave-one-out]
       python -m leasc_core bench --resume FOLDER
       python -m leasc_core bench --list"""
DESCRIPTION = """\
Without a name: measure this machine in a few seconds (matrix products, how fast f codes points, a small clustering whose answer
is known) and say how long a million points would take.

With the name of a recipe: run the methods of one of the paper's tables and print ours beside the paper's. With a data file: the
same methods on your points. `sweep`: LeaSC over one or two of its parameters, cell by cell. Rows are kept in a folder as they
come; the same command, or --resume, goes on after Ctrl-C or a kill and computes nothing twice. Labels judge, and never choose."""
EPILOG = """\
examples:
  bench                                                   this machine
  bench --list                                            recipes, what they need, and all methods
  bench yaleb --seeds 10                                  Tables III and IV, into yaleb-bench/
  bench mnist5k --methods leasc_f2,lsr,lbsc_k --workers 2
  bench points.npy -k 5 --methods leasc_f2,ssc,kmeans     your own data
  bench sweep mnist5k --over alpha=paper --over beta=paper --set variant=elastic_net    Fig. 7
  bench sweep mnist5k --over n_representatives=100,200,500,1000                         Fig. 8
  bench league iris wine                                  raw files, preparation chosen without labels, beside baselines
  bench --resume yaleb-bench/

The paper's data are looked for in --data, in the folder that LEASC_DATA names, or in ../shared/data. More benchmarks, of this
program alone: python -m benchmarks.core, .data, .scale, .columns."""


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("what", nargs="*", metavar="RECIPE|DATA", help="a recipe of --list or a data file; `sweep` before it")
    parser.add_argument("-k", type=int, dest="clusters", metavar="K", help="clusters of your own data (its labels say, if any)")
    parser.add_argument("--methods", type=names, metavar="A,B", help="which methods (all of the recipe)")
    parser.add_argument("--seeds", type=seeds, default=3, metavar="N", help="how many seeds, or which: 0,1,5 (3)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="runs at once; seconds then tell less (1)")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="where rows and tables go (RECIPE-bench)")
    parser.add_argument("--data", metavar="FOLDER", help="where a recipe's files are")
    parser.add_argument("--labels", metavar="FILE", help="labels of your own data in a .npy file, to judge by")
    parser.add_argument("--resume", metavar="FOLDER", help="go on with what a folder was asked")
    parser.add_argument("--leave-one-out", action="store_true", help="league: learn the choice's rule on the other sets")
    parser.add_argument("--list", action="store_true", help="list recipes and methods")
    parser.add_argument("--json", action="store_true", help="JSON on stdout: one line a row")
    sweep = parser.add_argument_group("sweep")
    sweep.add_argument(
        "--over",
        type=axis,
        action="append",
        default=[],
        metavar="NAME=V,V",
        help="a parameter of LeaSC and its values; `paper` is the grid of Fig. 7 (once or twice)",
    )
    sweep.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        dest="others",
        metavar="NAME=VALUE",
        help="any other parameter of LeaSC, held fixed",
    )
    sweep.add_argument("--draws", type=int, default=3, help="fits a cell, each with new representatives (3)")
    add_reading_arguments(parser)


def run(options):
    """Do what is asked; returns the exit code."""
    if options.list:
        return tell_list(options.data)
    if not options.what and not options.resume:
        from .machine import check

        return check(options.json)
    if options.what[:1] == ["league"]:
        return _league(options)
    folder = options.resume or _prepare(options)
    return _work(Path(folder), options)


def _league(options):
    """The league into a folder; the same command goes on where it stopped."""
    from ...bench.league import league_table, left_out_table, run_league, run_left_out

    def told(row):
        line = {**row["key"], **{name: value for name, value in row.items() if name != "key"}}
        words = " ".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in line.values())
        print(json.dumps(line) if options.json else words, file=sys.stdout if options.json else sys.stderr, flush=True)

    which = options.seeds if isinstance(options.seeds, list) else range(options.seeds)
    folder = options.output or "league-bench"
    if options.leave_one_out:
        print(left_out_table(run_left_out(folder, options.data, options.what[1:])))
        return 0
    rows = run_league(folder, options.data, options.methods, which, options.what[1:], told)
    if not options.json:
        print(league_table(rows))
    return 0


def _prepare(options):
    """Write down what is asked; returns the folder."""
    from ...bench import request

    sweep, what = options.what[0] == "sweep", options.what[options.what[0] == "sweep" :]
    if len(what) != 1:
        options.refuse("name one recipe or data file" + (" after `sweep`" if sweep else ""))
    data = _data(options, what[0])
    folder = options.output or f"{Path(what[0]).name.split('.')[0]}-{'sweep' if sweep else 'bench'}"
    if sweep:
        request.prepare_sweep(folder, data, dict(options.over), dict(options.others), options.draws)
    else:
        request.prepare_table(folder, data, options.methods, options.seeds)
    return folder


def _data(options, what):
    from ...bench import RECIPES, request

    if what in RECIPES:
        data = request.recipe_data(what, options.data)
        RECIPES[what].check_files(options.data)
        return data
    if not Path(what).exists():
        known = ", ".join(RECIPES)
        raise ParameterError(f"{what} is neither a recipe ({known}) nor a file here; see `bench --list`.")
    path = existing(what)
    return request.file_data(path, options.clusters, options=reading_options(options), labels=options.labels)


def _work(folder, options):
    from ...bench import Grid, request
    from ..stopping import Interrupted, Stopping

    total, seen = request.count_of(request.request_of(folder)), []
    with Stopping(quiet=options.json) as stopping:

        def told(row):
            seen.append(row)
            print(
                json.dumps(row) if options.json else tell_row(row, len(seen), total),
                file=sys.stdout if options.json else sys.stderr,
                flush=True,
            )
            return stopping.asked is not None

        try:
            result = request.resume(folder, on_row=told, workers=options.workers)
        except Interrupted as stop:
            return _stopped(folder, stop.exit_code)
    if stopping.asked and len(seen) < total:
        return _stopped(folder, 128 + stopping.asked)
    if not options.json:
        (tell_grid if isinstance(result, Grid) else tell_table)(result, folder)
    return 0


def _stopped(folder, code):
    print(
        f"Stopped; finished rows are kept. Go on with:\n  python -m leasc_core bench --resume {shlex.quote(os.fspath(folder))}",
        file=sys.stderr,
    )
    return code


def names(text):
    """Names between commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def seeds(text):
    """``10`` is how many, ``0,1,5`` is which."""
    try:
        return [int(each) for each in names(text)] if "," in text else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seeds; write 3, or 0,1,5") from None


def axis(text):
    """``(name, values)`` of ``beta=0.1,1,10``; ``beta=paper`` is the grid of Fig. 7."""
    from ...bench import PAPER_WEIGHTS

    name, equals, values = text.partition("=")
    if not equals or not name.isidentifier() or not names(values):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE,VALUE; write for example beta=0.1,1,10")
    if values == "paper":
        return name, list(PAPER_WEIGHTS)
    return name, [setting(f"{name}={value}")[1] for value in names(values)]
