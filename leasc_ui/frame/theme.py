"""Colours and styles, in one place: Okabe–Ito for clusters, and a light and a dark shade of everything.

A colour is written as CSS ``light-dark(…)``: the browser picks the shade by the theme that is on, at once, in charts too.
"""

from pathlib import Path

from leasc_core.drawing.palette import CLUSTERS

STYLES = Path(__file__).parent / "assets" / "style.css"

# Okabe & Ito's colours, safe for the colour-blind; their vermillion is left to negative codes.
BLUE, SKY, ORANGE, GREEN = "#0072B2", "#56B4E9", "#E69F00", "#009E73"
PURPLE, YELLOW, VERMILLION = "#CC79A7", "#F0E442", "#D55E00"

# (light, dark)
SHADES = {
    "paper": ("#FCFCFA", "#11151B"),
    "card": ("#FFFFFF", "#161B23"),
    "text": ("#1D2430", "#E8EBEF"),
    "muted": ("#5B6472", "#9AA5B3"),
    "faint": ("#B4BAC2", "#566070"),
    "line": ("#DFE2DE", "#303844"),
    "accent": (BLUE, SKY),
    "on-accent": ("#FFFFFF", "#11151B"),
    "representatives": ("#D7261E", "#FF6B57"),
    "ready": (GREEN, "#1FBF8F"),
    "stale": (ORANGE, ORANGE),
}
# From doubtful to certain.
CONFIDENCE = ((VERMILLION, "#FF8A4C"), (ORANGE, ORANGE), ("#8FB3CC", "#46708F"), (BLUE, SKY))
# From low to high, by lightness alone.
SCALE = (
    ("#C7D9EC", "#2C4A6B"),
    ("#9CBFE0", "#3A658F"),
    ("#6FA3D0", "#4C82B3"),
    ("#4885B9", "#649FCF"),
    ("#2C669B", "#87BAE0"),
    ("#174A79", "#B0D3EC"),
    ("#082F55", "#DDEEF8"),
)
# A shape goes with every colour, so that a cluster is never told by its colour alone: as Vega names it, and as text.
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "triangle-right", "triangle-left", "cross")
GLYPHS = "●■◆▲▼▶◀✚"

# From nothing to a strong code; nothing is transparent, so that it is the page itself in either theme.
NEGATIVE, POSITIVE = VERMILLION, "#0C7FC4"


def colour(name):
    """The shade of that name, light or dark as the page is."""
    return _either(*SHADES[name])


def cluster_colour(number):
    """The colour of a cluster, counted from 0; after forty they come round again."""
    return _either(*CLUSTERS[number % len(CLUSTERS)])


def cluster_colours(palette=CLUSTERS):
    """All of them, or those of another palette, for the range of a scale."""
    return [_either(*pair) for pair in palette]


def css():
    """The style sheet, with every shade as a variable."""
    shades = {name: colour(name) for name in SHADES} | {"negative": NEGATIVE, "positive": POSITIVE}
    shades |= {f"cluster-{number}": shade for number, shade in enumerate(cluster_colours())}
    variables = "".join(f"--{name}:{shade};" for name, shade in shades.items())
    return f"<style>.stApp{{{variables}}}{STYLES.read_text(encoding='utf-8')}</style>"


def _either(light, dark):
    return f"light-dark({light},{dark})"
