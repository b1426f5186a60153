"""What a run costs: seconds of each stage, on the wall and of the processor, and the peak of memory above its start."""

import contextlib
import ctypes
import gc
import threading
import time
from contextlib import contextmanager

SAMPLED_EVERY = 0.01


class Clock:
    """Seconds by stage: ``with clock("coding"): ...``; also a listener for the events of a fit.

    ``processor`` holds the processor time of stages measured here, all threads together: a busy machine does not change it.
    """

    def __init__(self):
        self.seconds, self.processor = {}, {}

    @contextmanager
    def __call__(self, stage):
        begun, worked = time.perf_counter(), time.process_time()
        yield
        self.add(stage, time.perf_counter() - begun)
        self.processor[stage] = self.processor.get(stage, 0.0) + time.process_time() - worked

    def add(self, stage, seconds):
        """Add to what a stage has taken."""
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds

    def listen(self, event):
        """For ``on_event=``: keeps what each finished stage took."""
        from ..events import StageFinished

        if isinstance(event, StageFinished):
            self.add(event.stage, event.seconds)


class PeakMemory:
    """The peak of resident memory above its start, in a ``with`` block; what earlier work has freed is given back before."""

    def __enter__(self):
        import psutil

        give_back()
        self._process = psutil.Process()
        self._base = self._highest = self._process.memory_info().rss
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def _watch(self):
        while not self._ended.wait(SAMPLED_EVERY):
            self._highest = max(self._highest, self._process.memory_info().rss)

    def __exit__(self, *_):
        self._highest = max(self._highest, self._process.memory_info().rss)
        self._ended.set()
        self._thread.join()

    @property
    def megabytes(self):
        return (self._highest - self._base) / 1e6


def give_back():
    """Let the system have what is freed but kept for later (where the C library can do that)."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
