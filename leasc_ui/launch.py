"""The command `leasc`: the commands of `python -m leasc_core`, and `app`, which serves the app and opens it in a browser."""

import argparse
import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from leasc_core.cli.main import COMMANDS, main
from leasc_core.errors import DataError, LeascError

from .places import app_folder

HELP = "open the app in a browser, with a file if one is named"
USAGE = "[FILE] [--port N] [--host NAME] [--no-browser]\n       leasc FILE"
DESCRIPTION = """\
Serve the app and open it in a browser; with FILE, its Data page with that file loaded. Ctrl-C ends it.

The app answers on this machine alone unless --host says otherwise. With FILE, the files of its folder can be
opened in the app."""
EPILOG = """\
examples:
  leasc points.csv
  leasc app --port 8600 --no-browser"""
FIRST_PORT, PORTS_TRIED, START_SECONDS, STOP_SECONDS = 8501, 50, 60.0, 3.0
OWN_NAMES, EVERY_ADDRESS = ("localhost", "127.0.0.1", "::1"), ("0.0.0.0", "::")
# What each visitor may take, and how long things are kept, where others come and the owner has not said.
FOR_OTHERS = {"LEASC_VISITOR_GB": "10", "LEASC_KEEP_DAYS": "30"}
OWN = {"app": (HELP, __name__)}


def leasc() -> int:
    """The console command; returns the exit code. A first word that is no command and names a file opens the app with it."""
    words = sys.argv[1:]
    if words and words[0] not in {**COMMANDS, **OWN} and (Path(words[0]).exists() or Path(words[0]).suffix):
        words = ["app", *words]
    return main(words, prog="leasc", extra=OWN)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leasc app`."""
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a data file or a folder of pictures")
    parser.add_argument("--port", type=int, metavar="N", help=f"default: the first free one from {FIRST_PORT}")
    parser.add_argument("--host", default="localhost", metavar="NAME", help="0.0.0.0 answers other machines (default: localhost)")
    parser.add_argument(
        "--name", action="append", default=_names(), metavar="NAME", help="a name by which others reach it (also LEASC_HOSTS)"
    )
    parser.add_argument("--no-browser", action="store_true", help="serve only")


def _names() -> list[str]:
    return [name.strip() for name in os.environ.get("LEASC_HOSTS", "").split(",") if name.strip()]


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C; returns the server's exit code."""
    if importlib.util.find_spec("streamlit") is None:
        raise LeascError("The app needs Streamlit, which is not installed; run `pip install 'leasc-studio[app]'`.")
    if options.file is not None and not options.file.exists():
        raise DataError(f"{options.file} does not exist; check the name, or see `leasc --help` for the commands.")
    port = options.port or free_port()
    environment = {**os.environ, **({"LEASC_DATA": str(options.file.resolve().parent)} if options.file else {})}
    if options.name or options.host not in OWN_NAMES:
        environment = {**FOR_OTHERS, **environment}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [environment.get("PYTHONPATH")])])
    server = subprocess.Popen(server_command(options.host, port, options.name), env=environment, cwd=app_folder())
    try:
        address = page_address(port, options.file)
        _wait_until_up(server, port)
        print(f"LeaSC Studio is at {address} (Ctrl-C ends it)", flush=True)
        if not options.no_browser:
            webbrowser.open(address)
        return server.wait()
    finally:
        _end(server)


def server_command(host: str, port: int, names: Sequence[str] = ()) -> list[str]:
    """The words that start Streamlit on the app; it answers to these names, to its host and to this machine's own."""
    known = [*OWN_NAMES, *([] if host in EVERY_ADDRESS else [host]), *names]
    settings = [("server.address", host), ("server.port", port), ("server.headless", "true")]
    settings += [("server.allowedHosts", name) for name in dict.fromkeys(known)]
    flags = [word for name, value in settings for word in (f"--{name}", str(value))]
    return [sys.executable, "-m", "streamlit", "run", str(Path(__file__).with_name("serve.py")), *flags]


def page_address(port: int, file: Path | None) -> str:
    """The address of the home page, or of the Data page with a file of the server's folder."""
    home = f"http://localhost:{port}"
    return f"{home}/Data?{urlencode({'way': 'file', 'file': file.resolve().name})}" if file else home


def free_port() -> int:
    """The first port from 8501 on which nothing listens."""
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        with socket.socket() as trial:
            if trial.connect_ex(("localhost", port)) != 0:
                return port
    last = FIRST_PORT + PORTS_TRIED - 1
    raise LeascError(f"All ports from {FIRST_PORT} to {last} are in use; name a free one with --port.")


def _end(server: subprocess.Popen) -> None:
    """Ask the server to end, and make it end where it does not: Streamlit hangs when nobody reads its output."""
    server.terminate()
    try:
        server.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _wait_until_up(server: subprocess.Popen, port: int) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends:
        if server.poll() is not None:
            raise LeascError(f"The app did not start (exit code {server.returncode}); the lines above say why.")
        try:
            urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise LeascError(f"The app did not answer on port {port} within {START_SECONDS:.0f} s; try another port with --port.")
