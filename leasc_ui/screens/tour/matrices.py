"""Small pictures of matrices side by side, with a title and words for who cannot see them. No Streamlit in here."""

from html import escape

import numpy as np

from leasc_ui.charts.codes import picture_url

LARGEST = 256


def matrices_html(matrices, limit, height):
    """``(title, matrix, alt)`` each, and perhaps its idea (``linked.py``); height in pixels, colours from −limit to limit."""
    figures = "".join(
        f'<figure class="of-{"".join(idea)}"><figcaption>{escape(title)}</figcaption>'
        f'<img alt="{escape(alt, quote=True)}" style="height:{height}px" src="{picture_url(matrix, limit)}"></figure>'
        for title, matrix, alt, *idea in matrices
    )
    return f'<div class="matrices">{figures}</div>'


def caption_html(title):
    """The same title above a chart of another make."""
    return f'<div class="matrices"><figure><figcaption>{escape(title)}</figcaption></figure></div>'


def block_means(matrix, most=LARGEST):
    """A square matrix averaged over blocks until it has at most so many rows."""
    size = -(-len(matrix) // most)
    whole = len(matrix) // size * size
    return matrix[:whole, :whole].reshape(whole // size, size, whole // size, size).mean(axis=(1, 3))


def spread(matrix, share=0.99):
    """A limit that all but the largest entries stay under, for the colours; 1 where there is nothing."""
    sizes = np.abs(matrix[matrix != 0])
    return float(np.quantile(sizes, share)) if sizes.size else 1.0
