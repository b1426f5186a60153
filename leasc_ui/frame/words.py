"""Text that comes from data, an address or an error, made safe to stand among our words, which Streamlit reads as Markdown."""

import re

from leasc_core.data.guards import one_line

LONGEST = 600
# What Markdown or Streamlit would make something of: emphasis, code, links, pictures, formulas, HTML, entities.
MEANING = re.compile(r"[\\`*\[\]<$~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
AT_THE_START = re.compile(r"^(?:[#>+=|-]|\d+(?=[.)]))")
# What becomes a link, a picture or a colour after Markdown has been read: no backslash stops that, an invisible letter does.
LATER = re.compile(r"(?<=:)(?=//|[A-Za-z+_-])|(?<=www)(?=\.)|(?<=@)(?=\w)", re.IGNORECASE)
WORD_JOINER = "\u2060"


def from_data(text, longest: int = LONGEST) -> str:
    """The text as Markdown that shows just these letters: no link, picture, formula, colour or heading comes of it.

    Every name of a file, column, class or cluster and every sentence of an error passes here before it is shown among words.
    """
    line = MEANING.sub(r"\\\g<0>", one_line(text, longest))
    line = AT_THE_START.sub(lambda found: f"\\{found[0]}" if not found[0][0].isdigit() else f"{found[0]}{WORD_JOINER}", line)
    return LATER.sub(WORD_JOINER, line)
