"""The commands, what they return to the shell, and one sentence in place of a traceback."""

import argparse
import os
import signal
import sys

from ..errors import LeascError
from . import bench, cluster, diagnose, explain, info, predict, synth
from .stopping import Interrupted
from .terminal import one_sentence

COMMANDS = {"cluster": cluster, "predict": predict, "synth": synth, "info": info, "diagnose": diagnose,
            "explain": explain, "bench": bench}  # fmt: skip
DONE, FAILED, USAGE, PIPE_CLOSED = 0, 1, 2, 128 + signal.SIGPIPE

DESCRIPTION = """\
Find the low-dimensional subspaces that points lie on, and label every point.

  representatives  a few points (1,000) stand for all
  codes            each of them is written as a combination of the others
  the function f   a small network learns that map, and then codes everything, block by block
  landmarks        codes are joined to a few landmarks; their spectrum gives the clusters

Time grows linearly with the points, memory does not grow. No labels are needed and none are used."""

EPILOG = """\
examples:
  python -m leasc_core synth union.npy --points 200000 --dims 256 --clusters 20
  python -m leasc_core cluster union.npy                     how many clusters: found
  python -m leasc_core cluster digits.csv -k 10 -o digits/   10 clusters, into digits/
  python -m leasc_core cluster --resume digits/              after Ctrl-C, a kill or a power cut
  python -m leasc_core predict digits/ new.csv -o labels.csv
  python -m leasc_core info digits/

exit codes:
  0 done   1 the data, a parameter or the run is at fault (one sentence says what)   2 the command is not understood
  130 stopped by Ctrl-C, 143 by SIGTERM (a run can be resumed)   141 whoever read the output went away

environment:
  NO_COLOR=1 no colours   LEASC_CACHE where converted files are kept   LEASC_TRACEBACK=1 the whole story of an error"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Lines as they were written, and room for the names of options."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=34, width=120)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence, and whose help keeps its lines."""

    def __init__(self, **settings):
        super().__init__(allow_abbrev=False, formatter_class=_Help, **settings)

    def error(self, message):
        self.exit(USAGE, f"{message[:1].upper()}{message[1:]}; see `{self.prog} --help`.\n")


def make_parser():
    """The whole command line."""
    parser = Parser(prog="python -m leasc_core", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True, parser_class=Parser)
    for name, module in COMMANDS.items():
        usage = f"python -m leasc_core {name} {module.USAGE}"
        command = commands.add_parser(name, help=module.HELP, usage=usage, description=module.DESCRIPTION, epilog=module.EPILOG)
        module.add_arguments(command)
        command.set_defaults(run=module.run, refuse=command.error)
    return parser


def main(arguments=None):
    """Run a command; returns the exit code."""
    _tolerate_any_encoding()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        options = make_parser().parse_args(arguments)
        code = options.run(options)
        sys.stdout.flush()
        return code or DONE
    except BrokenPipeError:
        return _without_reader()
    except Interrupted as stop:
        return stop.exit_code
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Exception as error:
        if os.environ.get("LEASC_TRACEBACK"):
            raise
        print(_sentence(error), file=sys.stderr)
        return FAILED


def _version():
    import leasc_core

    return f"LeaSC {leasc_core.__version__}"


def _tolerate_any_encoding():
    """A terminal that lacks a character gets a question mark, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _terminate(number, frame):
    raise Interrupted(number)


def _without_reader():
    """What is still buffered has nowhere to go; without this the interpreter would complain at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    return PIPE_CLOSED


def _sentence(error):
    if isinstance(error, LeascError):
        return one_sentence(error)
    if isinstance(error, MemoryError):
        return "The memory ran out; take smaller blocks (--block-rows), fewer representatives, or set --memory to what is free."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}; check the name, the permissions and the disk."
    return f"A fault in the program ({type(error).__name__}: {one_sentence(error)}); LEASC_TRACEBACK=1 shows where."
