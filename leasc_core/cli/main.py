"""The commands, what they return to the shell, and one sentence in place of a traceback."""

import argparse
import os
import signal
import sys
from importlib import import_module

from ..errors import LeascError
from ..runs.bounds import TOO_LARGE, bound_by_environment, is_out_of_memory
from .stopping import Interrupted
from .terminal import one_sentence

PROG = "python -m leasc_core"
# Name → one line of help, and the module, which is imported only when it is called: --help then answers at once.
COMMANDS = {
    "cluster": ("find the clusters of a data file", "leasc_core.cli.commands.cluster"),
    "predict": ("label new points by a fitted model", "leasc_core.cli.commands.predict"),
    "synth": ("write points on a union of subspaces", "leasc_core.cli.commands.synth"),
    "info": ("say what is in a data file, a model or a run's folder", "leasc_core.cli.commands.info"),
    "diagnose": (
        "say whether the points of a file lie on subspaces, before or after clustering",
        "leasc_core.cli.commands.diagnose",
    ),
    "explain": ("say why a point is where it is, or what a cluster is made of", "leasc_core.cli.commands.explain"),
    "open": ("unpack a project that was saved in the app, and say what is in it", "leasc_core.cli.commands.open"),
    "kept": ("say what runs and uploads take on the disk, and free it", "leasc_core.cli.commands.kept"),
    "bench": (
        "this machine, the paper's tables, all methods on your data, or a sweep of parameters",
        "leasc_core.cli.commands.bench",
    ),
}
DONE, FAILED, USAGE, PIPE_CLOSED = 0, 1, 2, 141

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


def make_parser(chosen=None, prog=PROG, extra=None):
    """The whole command line, or only the options of the command ``chosen``; ``extra`` are further commands, as COMMANDS is."""
    known = {**COMMANDS, **(extra or {})}
    parser = Parser(prog=prog, description=DESCRIPTION, epilog=EPILOG.replace(PROG, prog))
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True, parser_class=Parser)
    for name, (words, home) in known.items():
        if chosen in (None, name):
            _add_command(commands, name, words, import_module(home), prog)
        else:
            commands.add_parser(name, help=words)
    return parser


def _add_command(commands, name, words, module, prog):
    usage, epilog = f"{prog} {name} {module.USAGE}".replace(PROG, prog), (module.EPILOG or "").replace(PROG, prog)
    command = commands.add_parser(
        name, help=words, usage=usage, description=module.DESCRIPTION.replace(PROG, prog), epilog=epilog
    )
    module.add_arguments(command)
    command.set_defaults(run=module.run, refuse=command.error)


def main(arguments=None, prog=PROG, extra=None):
    """Run a command; returns the exit code. ``prog`` is what the user typed, ``extra`` adds commands (as COMMANDS is)."""
    _tolerate_any_encoding()
    signal.signal(signal.SIGTERM, _terminate)
    bound_by_environment()
    try:
        words = sys.argv[1:] if arguments is None else list(arguments)
        options = make_parser(words[0] if words else "", prog, extra).parse_args(words)
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
    if is_out_of_memory(error):
        return TOO_LARGE
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}; check the name, the permissions and the disk."
    return f"A fault in the program ({type(error).__name__}: {one_sentence(error)}); LEASC_TRACEBACK=1 shows where."
