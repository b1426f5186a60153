"""What every benchmark measures with: seconds, peak memory, and the machine's own matrix-product rate."""

import threading
import time

import numpy as np
import psutil


class Peak:
    """Seconds and the peak of resident memory above its start, in a ``with`` block."""

    def __enter__(self):
        self.process = psutil.Process()
        self.base = self.highest = self.process.memory_info().rss
        self.running = True
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()
        self.begun = time.perf_counter()
        return self

    def _watch(self):
        while self.running:
            self.highest = max(self.highest, self.process.memory_info().rss)
            time.sleep(0.01)

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.begun
        self.running = False
        self.thread.join()

    @property
    def megabytes(self):
        return (self.highest - self.base) / 1e6


def gemm_rate(rows, inner, columns, repeats=5):
    """float32 operations a second of this machine for a product of that shape (best of ``repeats``)."""
    import torch

    A, B = torch.randn(rows, inner), torch.randn(inner, columns)
    seconds = []
    for _ in range(repeats + 1):
        begun = time.perf_counter()
        A @ B
        seconds.append(time.perf_counter() - begun)
    return 2.0 * rows * inner * columns / min(seconds[1:])


def table(headings, rows):
    """Print a table in aligned columns."""
    cells = [[str(c) for c in row] for row in (headings, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headings))]
    for at, row in enumerate(cells):
        print("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
        if at == 0:
            print("  ".join("-" * w for w in widths))
    print(flush=True)


def mean_sd(values, digits=4):
    return f"{np.mean(values):.{digits}f} ± {np.std(values):.{digits}f}"
