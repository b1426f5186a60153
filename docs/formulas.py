"""Formulas between dollar signs become MathML, which browsers draw themselves; a hook of mkdocs."""

import re

from latex2mathml.converter import convert

CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
SHOWN, INLINE = re.compile(r"\$\$(.+?)\$\$", re.DOTALL), re.compile(r"\$([^$\n]+?)\$")


def on_page_markdown(markdown: str, **_) -> str:
    """The page with its formulas written as MathML; code is left as it is."""
    parts = CODE.split(markdown)
    return "".join(part if at % 2 else _converted(part) for at, part in enumerate(parts))


def _converted(text):
    text = SHOWN.sub(lambda found: convert(found[1].strip(), display="block"), text)
    return INLINE.sub(lambda found: convert(found[1]), text)
