"""The child process: confine itself, run one parser, leave its answer in the current folder."""

import json
import sys
from importlib import import_module

from leasc_core.data.guards import one_line, refuse
from leasc_core.errors import DataError


def main():
    """Read the request from standard input, write `about.json` and the arrays."""
    request = json.load(sys.stdin)
    answer = open("about.json", "w", encoding="utf-8")  # noqa: SIM115 - before a parser may forbid opening anything
    module = import_module(f"leasc_core.data.reading.isolated.{request['parser']}")
    try:
        about = module.extract(request)
    except DataError as error:
        about = {"error": str(error)}
    except MemoryError:
        about = {"error": str(refuse(request["name"], "needs more memory than a file may take", "save it as .npy"))}
    except Exception as error:  # whatever a parser throws at a damaged file is an answer, not a crash
        what = f"is not a readable {module.WHAT} file ({one_line(error) or type(error).__name__})"
        about = {"error": str(refuse(request["name"], what, "save or download it again"))}
    with answer:
        json.dump(about, answer)


if __name__ == "__main__":
    main()
