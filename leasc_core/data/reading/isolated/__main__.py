"""The nursery's side: a child forked for each request confines itself, runs one parser, leaves its answer in its folder."""

import json
import os
import signal
import socket
import sys
from importlib import import_module

from leasc_core.data.guards import one_line, refuse
from leasc_core.errors import DataError


def main():
    """Serve the requests that come through standard input, a socket; with a folder as argument, the one request that comes."""
    if len(sys.argv) > 1:
        os.chdir(sys.argv[1])
        answer(json.load(sys.stdin))
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    door = socket.socket(fileno=os.dup(0))
    while True:
        message, handles, _, _ = socket.recv_fds(door, 1 << 16, 2)
        if not message:
            return
        wanted = 4 + int.from_bytes(message[:4], "big")
        while len(message) < wanted:
            message += door.recv(wanted - len(message))
        folder, request = json.loads(message[4:])
        # Imported here once, for all children to come.
        import_module(f"leasc_core.data.reading.isolated.{request['parser']}")
        if os.fork() == 0:
            door.close()
            _keep(folder, request, *handles)
        for handle in handles:
            os.close(handle)


def _keep(folder, request, stdout, status):
    """Start the child, say its number, wait for it, and say how it ended and how much memory it took."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        os.close(status)
        os.dup2(stdout, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(folder)
        try:
            answer(request)
            sys.stdout.flush()
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.close(stdout)
    os.write(status, f"{child}\n".encode())
    _, ended, used = os.wait4(child, 0)
    os.write(status, f"{os.waitstatus_to_exitcode(ended)} {used.ru_maxrss << 10}\n".encode())
    os._exit(0)


def answer(request):
    """Write `about.json` and the arrays."""
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
