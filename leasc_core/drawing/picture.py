"""A picture as a notebook shows it: HTML with its own style, and a file where it is one drawing."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..errors import ParameterError
from ..storage.files import replacing
from .style import scoped_sheet, style_sheet


@dataclass(frozen=True)
class Picture:
    """One drawing (``svg``), or a card of text (``html`` alone); a notebook shows it by itself."""

    title: str
    html: str
    svg: str = ""

    def __repr__(self):
        return f"Picture({self.title!r})"

    def _repr_html_(self):
        return card(self.html)

    def save(self, path):
        """Write it to a file that needs nothing else: ``.svg`` the drawing, ``.html`` a page."""
        path = Path(path)
        if path.suffix not in (".html", *((".svg",) if self.svg else ())):
            kinds = ".svg or .html" if self.svg else ".html"
            raise ParameterError(f"{path.name} cannot be written: name a file that ends in {kinds}.")
        page = f'<!doctype html><meta charset="utf-8"><title>{escape(self.title)}</title>{card(self.html)}'
        with replacing(path) as file:
            file.write((complete(self.svg) if path.suffix == ".svg" else page).encode())


def drawn(title, svg, words=""):
    """The picture of a drawing with a sentence (plain text) above it."""
    said = f'<p class="say">{escape(words)}</p>' if words else ""
    return Picture(title, f"<b>{escape(title)}</b>{said}{svg}", svg)


def card(html):
    """HTML with the style of pictures, apart from the page it stands on."""
    return f'<style>{scoped_sheet()}</style><div class="leasc">{html}</div>'


def complete(svg):
    """A drawing with its style inside, as a file."""
    opening, rest = svg.split(">", 1)
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"{opening} {names}><style><![CDATA[{style_sheet()}]]></style>{rest}"
