"""``make test-package``: build the wheel from what the Dockerfile copies, install it in a fresh environment, and use it.

The installed packages are reused by links, so that nothing is downloaded; Streamlit is linked only after the core was tried
without it. Then the container's own command and health check are run. Any failure ends the script with exit code 1.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORT_SECONDS, READY_SECONDS, HELP_SECONDS, START_SECONDS = 0.15, 1.5, 0.3, 60
# Processor seconds, so that other work on the machine does not count.
TIMED = """
import json, sys, time
begun = time.process_time(); import leasc_core; imported = time.process_time()
from leasc_core import LeaSC; LeaSC(); ready = time.process_time()
print(json.dumps([imported - begun, ready - begun, leasc_core.__file__, "streamlit" in sys.modules]))
"""


def docker_lines(word: str) -> list[str]:
    """What follows this instruction, at each place of the Dockerfile."""
    return [line.split(" ", 1)[1] for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith(word + " ")]


def copy_sources(folder: Path) -> None:
    """The checkout's files that the Dockerfile copies, and no others."""
    for line in docker_lines("COPY"):
        if line.startswith("--from"):
            continue
        *names, target = line.split()
        for name in names:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / target)


def build_wheel(source: Path, target: Path) -> Path:
    """The wheel of the copied sources."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", str(target), str(source)], check=True)
    (wheel,) = target.glob("*.whl")
    print(f"wheel: {wheel.name}, {wheel.stat().st_size / 1e6:.2f} MB")
    return wheel


class Environment:
    """A fresh virtual environment that sees links to the packages of this one, all but those left out."""

    def __init__(self, folder: Path, without: tuple[str, ...]):
        venv.create(folder, with_pip=False)
        # Streamlit knows an installed copy of itself by the name of the folder.
        self.bin, self.links = folder / "bin", folder / "links" / "site-packages"
        self.links.mkdir(parents=True)
        (site,) = folder.glob("lib/python*/site-packages")
        (site / "links.pth").write_text(f"{self.links}\n")
        self.link(lambda name: not name.lower().startswith((*without, "__editable__")) and not name.endswith(".pth"))

    def link(self, wanted) -> None:
        """Make the packages visible whose folder names are wanted."""
        installed = Path(shutil.__file__).parent / "site-packages"
        folders = [Path(path) for path in sys.path if path.endswith("site-packages") and Path(path) != installed]
        for entry in (entry for folder in folders for entry in folder.iterdir() if wanted(entry.name)):
            link = self.links / entry.name
            if not link.exists():
                link.symlink_to(entry)

    def install(self, wheel: Path) -> None:
        """Install the wheel alone."""
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(self.bin / "python")]
        subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)


def expect(holds: bool, words: str) -> None:
    """Print what was tried; end the script where it does not hold."""
    print(f"{'ok  ' if holds else 'FAIL'} {words}", flush=True)
    if not holds:
        sys.exit(1)


def check_import(run, folder: Path) -> None:
    """`import leasc_core` without Streamlit, and how long it takes."""
    expect(run("python", "-c", "import streamlit", check=False).returncode != 0, "Streamlit is absent")
    times = [json.loads(run("python", "-c", TIMED).stdout) for _ in range(6)][1:]
    imported, ready = min(each[0] for each in times), min(each[1] for each in times)
    expect(Path(times[0][2]).is_relative_to(folder), "leasc_core comes from the wheel")
    expect(imported <= IMPORT_SECONDS, f"import leasc_core: {imported:.4f} s (at most {IMPORT_SECONDS})")
    expect(ready <= READY_SECONDS, f"LeaSC ready: {ready:.2f} s of processor time (at most {READY_SECONDS})")


def check_help(command: Path, work: Path, environment: dict) -> None:
    """Seconds until `leasc --help` says its first word, the best of five."""
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        with subprocess.Popen([command, "--help"], cwd=work, env=environment, stdout=subprocess.PIPE) as process:
            process.stdout.read(1)
            seconds.append(time.perf_counter() - begun)
            process.stdout.read()
    expect(min(seconds) <= HELP_SECONDS, f"leasc --help: first word after {min(seconds):.2f} s (at most {HELP_SECONDS})")


def check_commands(run, work: Path) -> None:
    """A CSV is written, clustered, and labelled by the model; without Streamlit the app says what to install."""
    run("leasc", "synth", "points.csv", "--points", "400", "--dims", "12", "--clusters", "3")
    run("leasc", "cluster", "points.csv", "-k", "3", "-o", "out", "--quiet")
    run("leasc", "predict", "out", "points.csv", "-o", "labels.csv")
    expect((work / "out" / "model.leasc").exists(), "leasc cluster writes a model")
    expect(len((work / "labels.csv").read_text().splitlines()) in (400, 401), "leasc predict labels 400 rows")
    said = run("leasc", "app", check=False)
    expect(said.returncode == 1 and "leasc-studio[app]" in said.stderr, "leasc app without Streamlit says what to install")


def check_app(words: list, work: Path, environment: dict, port: int, health: list | None = None) -> None:
    """Start the app with these words; its home page and its health must answer."""
    with subprocess.Popen(words, cwd=work, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            said = next((line for line in server.stdout if "LeaSC Studio is at" in line), "")
            page = urllib.request.urlopen(f"http://localhost:{port}/", timeout=START_SECONDS).read()
            expect(bool(said) and b"<title>" in page, f"{' '.join(map(str, words[1:]))}: {said.strip()}")
            if health:
                expect(subprocess.run(health, env=environment).returncode == 0, "the container's health check passes")
        finally:
            server.terminate()
            server.communicate(timeout=START_SECONDS)


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("localhost", 0))
        return trial.getsockname()[1]


def clean_environment(folder: Path) -> dict:
    """The variables of the container: the new environment's commands first, data, runs and cache in folders of their own."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LEASC", "VIRTUAL_ENV", "STREAMLIT"))
    }
    own = {f"LEASC_{name.upper()}": str(folder / name) for name in ("data", "runs", "cache")}
    for path in own.values():
        Path(path).mkdir()
    return {**kept, **own, "PATH": f"{folder / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def check(folder: Path) -> None:
    """All of it, in an empty folder."""
    source, work = folder / "source", folder / "work"
    source.mkdir(), work.mkdir()
    copy_sources(source)
    wheel = build_wheel(source, folder / "wheel")
    fresh = Environment(folder / "venv", without=("streamlit", "leasc"))
    fresh.install(wheel)
    environment = clean_environment(folder)

    def run(command, *words, check=True):
        full = [fresh.bin / command, *words]
        return subprocess.run(full, cwd=work, env=environment, capture_output=True, text=True, check=check)

    check_import(run, folder)
    check_help(fresh.bin / "leasc", work, environment)
    check_commands(run, work)
    fresh.link(lambda name: name.lower().startswith("streamlit"))
    port = free_port()
    check_app([fresh.bin / "leasc", "points.csv", "--no-browser", "--port", str(port)], work, environment, port)
    follow_dockerfile(fresh.bin, work, environment)


def follow_dockerfile(bin_folder: Path, work: Path, environment: dict) -> None:
    """Start what the Dockerfile starts, and ask what its health check asks, on a port that is free here."""
    port = str(free_port())
    command = [word.replace("8501", port) for word in json.loads(docker_lines("CMD")[-1])]
    health = [word.replace("8501", port) for word in json.loads(docker_lines("HEALTHCHECK")[-1].split("CMD ")[1])]
    command[0], health[0] = str(bin_folder / command[0]), str(bin_folder / health[0])
    check_app(command, work, environment, int(port), health)


if __name__ == "__main__":
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="leasc-package-") as name:
        try:
            check(Path(name))
        except subprocess.CalledProcessError as error:
            sys.exit(f"{error}\n{error.stdout or ''}{error.stderr or ''}")
    print(f"the package works: {time.perf_counter() - begun:.0f} s")
