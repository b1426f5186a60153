"""Which preparations and graphs are worth judging for a kind of data, the simplest first."""

from itertools import product

from ..spectral.kept import MOST_KEPT
from .kinds import Kind

# Side of a picture over 2^J: from this many averages a side on, a scale J is worth trying, and below that many it is.
FEWEST_AVERAGES, MOST_AVERAGES = 4, 8
# Above this many points a graph of neighbours is slower than landmarks and was not found to be better.
NEIGHBOURS_UP_TO = 20_000
# From so many columns on, noise in most of them may hide what a few directions hold.
WIDE_ENOUGH = 50


def candidates(kind: Kind, n_points: int, width: int, k: int) -> list[tuple[str, str]]:
    """Pairs of a preparation ("none" or a name) and a graph for so many points of ``width`` features in k clusters.

    The order is that of simplicity. Exact codes need room: k independent planes fill 2k dimensions, and in fewer any point is
    a combination of points of any cluster. There neighbours come first, which need no codes.
    """
    if kind.name == "tracks" and n_points <= MOST_KEPT["shape"]:
        return [("tracks", "shape")]
    roomy = width >= 2 * k
    pairs = list(product(_preparations(kind, width), _graphs(kind, n_points, roomy)))
    pairs = [pair for pair in pairs if pair[0] != "denoised" or not pair[1].startswith("exact")]  # few axes are no room
    return pairs if roomy else sorted(pairs, key=lambda pair: pair[1] != "neighbours")


def _preparations(kind, width):
    if kind.name == "pictures":
        return ["none", "centred", *(f"scattering{J}" for J in scales(kind.shape))]
    own = {"table": ["standard"], "counts": ["counts"], "tracks": ["tracks"], "scene": ["centred", "patches"]}
    return own.get(kind.name, ["none", "centred", "standard", *(["denoised"] if width >= WIDE_ENOUGH else [])])


def _graphs(kind, n_points, roomy):
    graphs = ["landmarks"]
    if roomy and n_points <= MOST_KEPT["exact"] and kind.name in ("pictures", "plain"):
        graphs += ["exact_even", "exact", "exact_soft"]
    if n_points <= NEIGHBOURS_UP_TO and kind.name in ("table", "counts", "plain"):
        graphs.append("neighbours")
    return graphs


def scales(shape: tuple) -> list[int]:
    """The J whose averages leave 4 to 8 values a side of a picture."""
    side = min(shape[:2])
    return [J for J in range(1, 5) if FEWEST_AVERAGES <= side // 2**J <= MOST_AVERAGES]
