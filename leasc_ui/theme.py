"""Colours and styles, in one place: Okabe–Ito for clusters, two palettes for light and dark."""

from dataclasses import dataclass
from pathlib import Path

STYLES = Path(__file__).parent / "assets" / "style.css"

# Okabe & Ito's colours, safe for the colour-blind. Vermillion is kept for representatives.
BLUE, SKY, ORANGE, GREEN = "#0072B2", "#56B4E9", "#E69F00", "#009E73"
PURPLE, YELLOW, VERMILLION = "#CC79A7", "#F0E442", "#D55E00"

# A shape goes with every colour, so that a cluster is never told by its colour alone.
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "triangle-right", "triangle-left", "cross")
GLYPHS = "●■◆▲▼▶◀✚"


@dataclass(frozen=True)
class Palette:
    """What a chart needs to know of the theme; ``diverging`` runs from negative over zero to positive."""

    name: str
    paper: str
    text: str
    muted: str
    line: str
    card: str
    representatives: str
    clusters: tuple[str, ...]
    diverging: tuple[str, ...]

    def cluster(self, number):
        """The colour of cluster ``number``, counted from 0; after eight they come round again."""
        return self.clusters[number % len(self.clusters)]


LIGHT = Palette(
    name="light",
    paper="#FCFCFA",
    text="#1D2430",
    muted="#5B6472",
    line="#DFE2DE",
    card="#FFFFFF",
    representatives="#D7261E",
    clusters=(BLUE, ORANGE, GREEN, PURPLE, SKY, "#8C6D00", "#4B4B4B", "#7A4FA3"),
    diverging=("#7A3200", VERMILLION, "#F2B48A", "#FCFCFA", "#8CC3E6", BLUE, "#003A5C"),
)
DARK = Palette(
    name="dark",
    paper="#11151B",
    text="#E8EBEF",
    muted="#9AA5B3",
    line="#303844",
    card="#161B23",
    representatives="#FF6B57",
    clusters=(SKY, ORANGE, "#1FBF8F", PURPLE, "#3F8FD0", YELLOW, "#C9CED6", "#A98BD0"),
    diverging=("#FFC89E", "#F28A3C", "#7A3E12", "#11151B", "#0F4F78", "#3FA3DD", "#B5E0F8"),
)


def palette_of(theme_type):
    """The palette for Streamlit's ``st.context.theme.type`` (None counts as light)."""
    return DARK if theme_type == "dark" else LIGHT


def both(light, dark):
    """A CSS colour that follows the theme of the element it is on, without a rerun."""
    return f"light-dark({light},{dark})"


def css():
    """The styles Streamlit's own theme has no word for, in colours that are the same as the charts'."""
    colours = {f"cluster-{k}": both(LIGHT.cluster(k), DARK.cluster(k)) for k in range(4)}
    for name in ("representatives", "muted", "text", "line", "card"):
        colours[name] = both(getattr(LIGHT, name), getattr(DARK, name))
    colours |= {"accent": both(BLUE, SKY), "on-accent": both("#FFFFFF", DARK.paper)}
    variables = "".join(f"--{name}:{value};" for name, value in colours.items())
    return f"<style>.stApp{{{variables}}}{STYLES.read_text(encoding='utf-8')}</style>"
