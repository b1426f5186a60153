"""What a run will need before it starts: seconds, memory and disk, from the sizes alone; and a refusal where it cannot fit."""

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from ..coding.variants import VARIANTS
from ..errors import RunError
from ..evidence.count import LEAST_FEATURES
from ..spectral.cells import looked_at
from ..spectral.kept import MOST_KEPT
from ..spectral.model import CENTRES_FROM
from ..stages.cluster import DIRECTIONS_FROM, SAMPLE_PER_LANDMARK

GB = 1e9
# The interpreter and the numerical libraries, measured.
LIBRARIES = 0.33 * GB
# A run takes this much longer than its matrix products alone.
OVERHEAD = 1.5
# Products of a few points with a cell of landmarks take so many times what large ones do, searching included; measured.
JOINING = 3.0
# Seconds before and after them.
STARTUP = 3.0
LANDMARK_ROUNDS = 3
# Seconds of one core for a full sample: a view (a preparation and a graph) when clusters are counted, the two descriptions as
# subspaces, a candidate when preparation and graph are chosen. Bytes that a graph keeps of a point.
VIEW_SECONDS, DESCRIPTION_SECONDS, CANDIDATE_SECONDS, GRAPH_BYTES = 1.5, 4.0, 1.5, 1000
# Graphs of a view when clusters are counted, labelings of a candidate, points that write the others, preparations that are
# looked at, and products of a table with itself that its principal axes take.
SCANS, LABELINGS, CODERS, PREPARED, AXES = 8, 5, 600, 3, 10
# Matrices of a graph that keeps all points; bytes a value of the sample as all preparations make it, with clouds and coders.
KEPT_MATRICES, COPIES = 6, 100


@dataclass(frozen=True)
class Sizes:
    """Everything the cost depends on (METHOD's letters: m points of d features, n representatives, h hidden units)."""

    points: int
    features: int
    representatives: int
    hidden: tuple
    clusters: int | None
    landmarks: int
    neighbours: int
    code_width: int
    variant: str
    affinity: str
    block_rows: int
    item_bytes: int = 4
    draws: int = 1

    @property
    def operations_a_point(self):
        """Multiply-adds, as two operations, of encoding one point and joining it to landmarks, in all draws."""
        widths = (self.features, *self.hidden, self.code_width)
        layers = sum(a * b for a, b in zip(widths, widths[1:], strict=False))
        joined = JOINING * looked_at(self.landmarks) * self.code_width
        if self.affinity == "codes":
            joined = self.draws * self.code_width**2
        return 2 * self.draws * (layers + joined)

    @property
    def columns(self):
        """What points are joined to in the end: landmarks or representatives, those of all draws side by side."""
        return self.draws * (self.landmarks if self.affinity == "landmarks" else self.representatives)


@dataclass(frozen=True)
class Need:
    """Seconds are about right, memory (anonymous, in bytes) and disk are upper ends."""

    seconds: float
    memory: float
    disk: float

    def __str__(self):
        return f"about {readable_seconds(self.seconds)}, {self.memory / GB:.1f} GB of memory, {readable_bytes(self.disk)} of disk"


def estimate(sizes: Sizes, rate=None, workers: int = 1) -> Need:
    """What clustering data of these sizes needs; ``rate`` is the machine's operations a second, measured if not given.

    With several ``workers`` like this machine the passes over the points are divided among them, and memory is that of each.
    """
    rate = rate or product_rate()
    memory = LIBRARIES + max(_coding_memory(sizes), _landmark_memory(sizes), _block_memory(sizes), _spectral_memory(sizes))
    operations = _operations_before(sizes) + _operations_of_passes(sizes) / workers
    return Need(operations * OVERHEAD / rate + STARTUP, memory, _disk(sizes))


def with_counting(need: Need, sizes: Sizes, sample, views, rate=None) -> Need:
    """The same where clusters are counted on a ``sample`` in so many ``views``, and three copies of it are kept."""
    looked_at, d, item = min(sizes.points, sample), sizes.features, max(4, sizes.item_bytes)
    coders, share = min(CODERS, looked_at), looked_at / sample
    operations = 2 * looked_at * d * (views * SCANS * coders + PREPARED * AXES * min(looked_at, d))
    seconds = (views * VIEW_SECONDS + (DESCRIPTION_SECONDS if d >= LEAST_FEATURES else 0.0)) * share + operations / (
        rate or product_rate()
    )
    memory = looked_at * ((2 * item + COPIES) * d + 8 * GRAPH_BYTES) + 8 * (3 * coders * d + 2 * min(coders, d) ** 2)
    return Need(need.seconds + seconds, max(need.memory, LIBRARIES + memory), need.disk)


def with_choice(need: Need, sizes: Sizes, sample, candidates, rate=None) -> Need:
    """The same where preparation and graph are chosen among so many ``candidates``, each a few labelings of a ``sample``, and
    where all points may be kept their graph and its eigenvectors."""
    looked_at, d = min(sizes.points, sample), sizes.features
    operations = 2 * looked_at * d * (candidates * LABELINGS * min(CODERS, looked_at) + PREPARED * AXES * min(looked_at, d))
    seconds = candidates * CANDIDATE_SECONDS * (looked_at / sample) ** 1.5 + operations / (rate or product_rate())
    kept = 8 * KEPT_MATRICES * min(sizes.points, MOST_KEPT["exact"]) ** 2
    return Need(need.seconds + seconds, max(need.memory, LIBRARIES + kept + 60 * looked_at * d), need.disk)


def check(need: Need, memory_budget, folder):
    """Refuse, with a remedy, a run that does not fit into its memory budget (bytes) or on the disk of ``folder``."""
    if need.memory > memory_budget:
        raise RunError(
            f"This run needs about {need.memory / GB:.1f} GB of memory and may use {memory_budget / GB:.1f} GB: take fewer "
            "representatives, landmarks or hidden units, smaller blocks, or raise the memory budget."
        )
    free = shutil.disk_usage(_existing(Path(folder))).free
    if need.disk > free:
        raise RunError(
            f"This run needs {readable_bytes(need.disk)} of disk and {folder} has {readable_bytes(free)} free: free some "
            "space or choose a folder on another disk."
        )


def available_memory():
    """Four fifths of what the machine could give now, in bytes: the budget where none is set."""
    for line in Path("/proc/meminfo").read_text().splitlines() if Path("/proc/meminfo").exists() else ():
        if line.startswith("MemAvailable:"):
            return 0.8 * 1024 * int(line.split()[1])
    return 8 * GB


def product_rate(size=1024):
    """float32 operations a second of this machine's matrix product, in a twentieth of a second."""
    import torch

    A = torch.ones(size, size)
    A @ A
    begun, rounds = time.perf_counter(), 0
    while time.perf_counter() - begun < 0.05:
        A @ A
        rounds += 1
    return rounds * 2 * size**3 / (time.perf_counter() - begun)


def _operations_before(s):
    """Of everything but the passes over the points: codes, f, landmarks, spectrum, centres."""
    n, d = s.representatives, s.features
    coding = 2 * n**3 * 8 * VARIANTS[s.variant].iterations + 20 * n**2 * d
    network = 6 * 2 * n * sum(a * b for a, b in zip((d, *s.hidden), (*s.hidden, n), strict=True)) + 10 * n**3
    sample = _sample(s)
    landmarks = sample * (s.operations_a_point + LANDMARK_ROUNDS * 2 * s.draws * s.landmarks * s.code_width)
    k = s.clusters or 40
    spectral = 60 * s.columns * (4 * k) ** 2 + 100 * 2 * CENTRES_FROM * 2 * k * k
    sampled = landmarks if s.affinity == "landmarks" else 0
    return s.draws * (coding + network) + sampled + spectral


def _operations_of_passes(s):
    """Of encoding and joining every point: one pass, two where codes are joined to representatives."""
    return (1 if s.affinity == "landmarks" else 2) * s.points * s.operations_a_point


def _sample(s):
    return min(s.points, max(DIRECTIONS_FROM, SAMPLE_PER_LANDMARK * s.landmarks))


def _coding_memory(s):
    n, d = s.representatives, s.features
    widest = max((*s.hidden, d))
    return 8 * (12 * n * n + 6 * n * d + 4 * n * widest) + 16 * sum(a * b for a, b in zip((d, *s.hidden), s.hidden, strict=False))


def _landmark_memory(s):
    wide = min(s.points, DIRECTIONS_FROM) * s.representatives
    return 4 * (3 * wide + 3 * _sample(s) * s.code_width + 3 * s.landmarks * s.code_width) + _block_memory(s)


def _block_memory(s):
    rows = min(s.block_rows, s.points)
    widest = sum(s.hidden) + 2 * s.draws * s.code_width
    return rows * (5 * s.features * max(4, s.item_bytes) + 8 * widest) + 8 * 1024 * s.landmarks


def _spectral_memory(s):
    k = s.clusters or 40
    columns, neighbours = s.columns, s.draws * s.neighbours
    joins = min(columns**2, neighbours**2 * s.points, 400 * neighbours * columns)
    pairs = joins if s.affinity == "landmarks" else columns**2
    basis = columns * (2 * (2 * k + 1) + 1) * 8 * 3
    centres = min(s.points, CENTRES_FROM) * (2 * k + 1) * 8 * 3
    return 48 * pairs + basis + centres


def _disk(s):
    model = 4 * (s.representatives * s.features + s.features * sum(s.hidden) + sum(s.hidden) * s.representatives)
    table = 8 * s.draws * s.neighbours if s.affinity == "landmarks" else 0
    return s.points * (table + 8) + s.draws * (3 * model + 8 * s.landmarks * s.code_width) + 10e6


def _existing(folder):
    while not folder.exists():
        folder = folder.parent
    return folder


def readable_seconds(seconds, measured=False):
    """A duration a person would say; of one that was ``measured`` also tenths, milliseconds and microseconds."""
    if measured and seconds < 90:
        if seconds < 0.001:
            return f"{1e6 * seconds:.0f} µs"
        return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def readable_bytes(count):
    """A size a person would say."""
    return f"{count / 1e6:,.0f} MB" if count < GB else f"{count / GB:,.1f} GB"
