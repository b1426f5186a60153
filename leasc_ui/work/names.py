"""Names of files: those that visitors bring, and those that they take away. Letters of every script stay."""

import re
import unicodedata

LONGEST_NAME, LONGEST_SLUG = 200, 80


def safe_name(name):
    """The last part of a name in letters and digits of any script; the ending, which tells the format, stays."""
    last = _last_part(name)
    plain = "".join(letter if _is_letter(letter) or letter in "_.- " else "_" for letter in last).strip(" .") or "upload"
    return _shortened(plain, LONGEST_NAME)


def slug(name):
    """A name fit for a download: digits, made-points, größe-2026."""
    last = _last_part(name)
    stem = last.rsplit(".", 1)[0] if "." in last else last
    words = "".join(letter if _is_letter(letter) else " " for letter in stem.lower()).split()
    return _shortened("-".join(words), LONGEST_SLUG) or "data"


def unique_names(names):
    """The names as text; what stands there again gets a number."""
    seen, result = {}, []
    for name in map(str, names):
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result


def _is_letter(letter):
    """A letter or a digit of any script, or a mark that belongs to a letter."""
    return letter.isalnum() or unicodedata.category(letter).startswith("M")


def _shortened(name, most):
    """A name of at most so many bytes, which file systems count (a letter may take four); what goes is in the middle."""
    while len(name.encode()) > most:
        middle = len(name) // 2
        name = name[: middle - 1] + name[middle:]
    return name


def _last_part(path):
    return re.split(r"[/\\]", unicodedata.normalize("NFC", str(path)))[-1]
