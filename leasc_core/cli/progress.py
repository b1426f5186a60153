"""Readers of the stream of events: a live line on a terminal, a plain line now and then elsewhere, JSON lines, or nothing."""

import contextlib
import dataclasses
import json
import math
import sys
import threading
import time
from pathlib import Path

from ..events import CandidateDone, CodeSnapshot, CodingIteration, NetworkEpoch, PointsDone, StageFinished, StageStarted, StepDone
from ..runs.budget import readable_seconds
from .terminal import clock, plain, styled, width

LIVE_SECONDS, PLAIN_SECONDS, JSON_SECONDS = 0.2, 5.0, 0.5
BAR_WIDTH = 24
NAME_WIDTH = 15


def own_memory():
    """Anonymous memory of this process in bytes: what it takes from the machine (files in the page cache not counted)."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return 1024 * int(line.split()[1])
    import psutil

    return psutil.Process().memory_info().rss


class Silent:
    """Says nothing; the others speak in its stead."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __call__(self, event):
        pass

    def say(self, event, **facts):
        """Something that is no event of the run."""

    def note(self, message):
        """A sentence for a person."""


class JsonLines(Silent):
    """One JSON object a line on stdout; counts of points at most twice a second."""

    def __init__(self):
        self._told = 0.0

    def __call__(self, event):
        if isinstance(event, CodeSnapshot):
            return
        if isinstance(event, PointsDone):
            now = time.monotonic()
            if now - self._told < JSON_SECONDS and event.done < event.total:
                return
            self._told = now
            self.say("PointsDone", **dataclasses.asdict(event), rate=event.rate, memory=own_memory())
            return
        self.say(type(event).__name__, **dataclasses.asdict(event))

    def say(self, event, **facts):
        print(json.dumps(_finite({"time": round(time.time(), 3), "event": event, **facts})), flush=True)


class Told(Silent):
    """Finished stages as lines on stderr; the current one is told again and again by a thread of its own.

    On a terminal that is a line that changes in place, elsewhere a new line every few seconds.
    """

    def __init__(self, stream=None):
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._stage = self._since = self._count = None
        self._detail = ""

    def __enter__(self):
        self._ticker = threading.Thread(target=self._tick, name="progress", daemon=True)
        self._ticker.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._ticker.join()
        with self._lock, contextlib.suppress(BrokenPipeError):
            self._erase()

    def __call__(self, event):
        with self._lock:
            if isinstance(event, StageStarted):
                self._stage, self._since, self._count, self._detail = event.stage, time.perf_counter(), None, ""
            elif isinstance(event, PointsDone):
                self._stage, self._since = event.stage, self._since or time.perf_counter()
                self._count = event
            elif isinstance(event, CodingIteration):
                reached = f"residual {event.residual:.1e}" if event.gap is None else f"duality gap {event.gap:.1e}"
                self._detail = f"{event.iteration} iterations, {reached}"
            elif isinstance(event, NetworkEpoch):
                self._detail = f"error {event.held_out_error:.1%} on points held out"
            elif isinstance(event, StepDone):
                self._detail = f"{event.done} steps"
            elif isinstance(event, CandidateDone):
                row = event.row
                self._detail = f"k = {row['n_clusters']}, β = {row['beta']:g}: two draws agree to {row['stability']:.2f}"
            elif isinstance(event, StageFinished):
                self._finish(event)

    def note(self, message):
        with self._lock:
            self._erase()
            print(plain(message), file=self._stream, flush=True)

    def _finish(self, event):
        self._erase()
        said = self._detail
        if self._count is not None:
            said = f"{self._count.total:,} points, {self._count.rate:,.0f} points/s"
        mark = styled("✓", "green", self._stream)
        line = f"  {mark} {event.stage:<{NAME_WIDTH}} {event.seconds:6.1f} s   {styled(said, 'dim', self._stream)}"
        print(line.rstrip(), file=self._stream, flush=True)
        self._stage = None

    def _tick(self):
        with contextlib.suppress(BrokenPipeError, ValueError):
            while not self._ended.wait(LIVE_SECONDS if self._live else PLAIN_SECONDS):
                with self._lock:
                    if self._stage is not None:
                        self._tell()

    def _tell(self):
        elapsed = time.perf_counter() - self._since
        said = self._counted() if self._count is not None else self._detail
        facts = [f"{elapsed:6.1f} s  ", *filter(None, [said]), f"{own_memory() / 1e9:.2f} GB"]
        line = f"{self._stage:<{NAME_WIDTH}} {facts[0]} {' · '.join(facts[1:])}"
        if not self._live:
            print(f"  · {line}", file=self._stream, flush=True)
            return
        line = line[: max(20, width(self._stream) - 5)]
        self._stream.write(f"\r\x1b[K  {styled('●', 'blue', self._stream)} {line}")
        self._stream.flush()

    def _counted(self):
        count = self._count
        left = (count.total - count.done) / count.rate if count.rate else math.nan
        share = count.done / max(1, count.total)
        bar = ""
        if self._live and width(self._stream) > 100:
            full = round(share * BAR_WIDTH)
            bar = "━" * full + "╌" * (BAR_WIDTH - full) + " "
        ahead = f" · {clock(left)} left" if math.isfinite(left) else ""
        return f"{bar}{share:4.0%} of {count.total:,} · {count.rate:,.0f} points/s{ahead}"

    def _erase(self):
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_of(options):
    """The reader that ``--quiet`` or ``--json`` ask for."""
    if options.json:
        return JsonLines()
    return Silent() if options.quiet else Told()


def add_progress_arguments(parser):
    """``--quiet`` and ``--json``."""
    telling = parser.add_argument_group("what is told").add_mutually_exclusive_group()
    telling.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    telling.add_argument("--json", action="store_true", help="events and the summary as JSON lines on stdout, nothing else")


@contextlib.contextmanager
def warnings_told(progress):
    """Python's warnings as sentences, each once."""
    import warnings

    told = set()

    def show(message, category, *_, **__):
        text = " ".join(str(message).split())
        if text not in told and not issubclass(category, (DeprecationWarning, FutureWarning)):
            told.add(text)
            progress.say("Note", message=text)
            progress.note(f"Note: {text}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def took(seconds):
    """How long something took, in a person's words."""
    return readable_seconds(seconds, measured=True)


def _finite(value):
    """The same JSON value; numbers that JSON has not (NaN, infinity) become null."""
    if isinstance(value, dict):
        return {str(name): _finite(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
