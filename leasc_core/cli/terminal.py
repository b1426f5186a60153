"""How things are said on a terminal: colours where there is one, numbers a person reads, tables of two columns."""

import os
import re
import shutil
import sys

BARS = "▁▂▃▄▅▆▇█"
STYLES = {"bold": "1", "dim": "2", "green": "32", "blue": "36", "yellow": "33"}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def in_colour(stream):
    """Whether to colour what goes to ``stream``."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text, style, stream):
    """``text`` in a style, where the stream shows it."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if in_colour(stream) else text


def plain(text):
    """A text from data or a path without the characters that would steer a terminal."""
    return CONTROL.sub("?", str(text)).replace("\n", " ")


def one_sentence(error):
    """An error on one line."""
    return plain(" ".join(str(error).split()))


def width(stream):
    """Columns of the terminal behind ``stream``."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return shutil.get_terminal_size((100, 24)).columns


def pairs(rows, stream=None):
    """Print ``(name, value)`` rows as two columns."""
    stream = stream or sys.stdout
    broad = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"  {styled(name.ljust(broad), 'dim', stream)}  {plain(value)}", file=stream)


def clock(seconds):
    """Seconds as 0:07, 12:40 or 3:05:00."""
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def sparkline(values):
    """Small bars, the largest of full height."""
    top = max([*values, 1])
    return "".join(BARS[min(len(BARS) - 1, int(value / top * len(BARS)))] for value in values)
