"""How a column of text writes its values: numbers with thousands separators, units, currencies and per cent; dates; links."""

import re
from collections import Counter
from dataclasses import dataclass, replace

MISSING = (
    *("", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "None", "?", "n/a", "<NA>", "-", "--", "–", "—", "n.a.", "k.A."),
    *("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#NV", "#WERT!"),
)
NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|Inf|INF|infinity|Infinity)", re.ASCII)
# Numbers in brackets, as pandas and NumPy write a list into a cell; RE2 reads it too. There is one way to match any text, so
# that no text takes long.
IN_LIST = r"(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|nan)"
LIST = rf"^\s*[\[(]\s*{IN_LIST}(?:(?:\s*[,;]\s*|\s+){IN_LIST})+(?:\s*[,;])?\s*[\])]\s*$"
WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
CODE = re.compile(r"0\d+", re.ASCII)
# Besides the comma and the point: blank, no-break blank, narrow no-break blank and two apostrophes.
GROUPERS = (",", ".", " ", "\u00a0", "\u202f", "'", "’")
CURRENCIES = ("€", "$", "£", "¥", "₹", "US$", "CHF", "EUR", "USD", "GBP", "Fr.", "kr", "R$", "zł")
# A number with what may stand around it; the number itself is told apart later.
DRESSED = re.compile(
    rf"(\(?)\s*({'|'.join(map(re.escape, CURRENCIES))}|)\s*"
    r"([-+−]?\s*\d[\d.,'’ \u00a0\u202f]*(?:[eE][-+]?\d+)?)([^\d]*?)(\)?)"
)
LONGEST_UNIT = 12
MONTHS = "jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|janv|févr|mars|avr|juin|juil|août|ene|abr|ago|dic"
CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp][Mm])?"
ZONE = r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?"
DATES = (
    rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:[T ]\s?{CLOCK}{ZONE})?",
    rf"\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d{{2}})(?:,? {CLOCK}{ZONE})?",
    rf"\d{{1,2}}\.?[ -](?:{MONTHS})[a-zäéû]*\.?[ -]\d{{2,4}}(?:,? {CLOCK})?",
    rf"(?:{MONTHS})[a-zäéû]*\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}(?:,? {CLOCK})?",
    r"\d{4}-\d{2}",
    rf"(?:{MONTHS})[a-zäéû]*\.?[ -]\d{{2,4}}",
    r"\d{4}[- ]?[QW]\d{1,2}|[QW]\d{1,2}[- /]\d{4}",
    CLOCK,
)
DATE = re.compile("|".join(f"(?:{each})" for each in DATES), re.IGNORECASE)
LINK = re.compile(r"(?:https?://|ftp://|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE)
PICTURE = re.compile(r"(?!https?://)[^\n]*\.(?:png|jpe?g|gif|webp|tiff?|bmp|svg)", re.IGNORECASE)


@dataclass(frozen=True)
class Notation:
    """How numbers are written, beyond digits and a decimal mark.

    Attributes
    ----------
    decimal : "." or ",".
    thousands : what stands between groups of three digits, or "".
    units : the texts around the number.
    plain : whether a parser of plain numbers reads it.
    """

    decimal: str = "."
    thousands: str = ""
    units: tuple = ()
    plain: bool = False

    @property
    def words(self):
        """What is said of it."""
        parts = [f"thousands separated by '{self.thousands}'"] if self.thousands.strip() else []
        parts += ["thousands separated by blanks"] if self.thousands and not self.thousands.strip() else []
        shown = ", ".join(f"'{unit}'" for unit in self.units)
        return " and ".join(parts + ([f"in {shown}"] if shown else []))

    def pattern(self):
        """A regular expression (RE2's, too) that every cell matches; groups: opening bracket, sign and digits."""
        t, d = re.escape(self.thousands), re.escape(self.decimal)
        whole = rf"(?:\d{{1,3}}(?:{t}\d{{3}})+|\d+)" if self.thousands else r"\d+"
        number = rf"(?:{whole}(?:{d}\d*)?|{d}\d+)(?:[eE][-+]?\d+)?"
        units = "|".join(re.escape(unit) for unit in self.units)
        unit = rf"(?:{units})?" if units else ""
        return rf"^\s*(\(?)\s*{unit}\s*([-+−]?)\s*{unit}\s*({number})\s*{unit}\s*\)?\s*$"


def is_number(cell, decimal="."):
    """Is the cell a plain number?"""
    return bool(NUMBER.fullmatch(cell.replace(decimal, ".") if decimal != "." else cell))


def notation_of(cells, decimal) -> Notation | None:
    """The notation in which all cells (none of them missing) are numbers; None where they are not."""
    if all(is_number(cell, decimal) for cell in cells):
        grouped = _grouper(cells, decimal)
        return Notation(".", grouped) if grouped else Notation(decimal, plain=True)
    dressed = [DRESSED.fullmatch(cell.strip()) for cell in cells]
    if not all(dressed):
        return None
    units = {unit.strip() for match in dressed for unit in (match[2], match[4])} - {""}
    # One unit in a column is a unit; several are different things. What stands in front must be a currency: A7 is a name.
    if len(units) > 1 or any(len(unit) > LONGEST_UNIT for unit in units):
        return None
    bare = sum(not match[2].strip() and not match[4].strip() for match in dressed)
    if bare and units and not units & set(CURRENCIES):
        return None
    bodies = [match[3].strip().lstrip("-+−").strip() for match in dressed]
    for mark, grouper in _marks(bodies, decimal, bool(units & set(CURRENCIES))):
        found = Notation(mark, grouper, tuple(units))
        if all(map(re.compile(replace(found, units=()).pattern()).match, bodies)):
            return found
    return None


def _marks(bodies, decimal, money):
    """Pairs of a decimal mark and what separates thousands, the likeliest first."""
    other = "," if decimal == "." else "."
    pairs = [(decimal, ""), *((decimal, grouper) for grouper in GROUPERS if grouper != decimal)]
    pairs += [(other, ""), *((other, grouper) for grouper in GROUPERS if grouper != other)]
    # Money has no thousandths: 12.500 € are twelve thousand five hundred.
    for mark in ".,":
        marked = [body for body in bodies if mark in body]
        if money and marked and all(re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+", body) for body in marked):
            pairs.insert(0, ("," if mark == "." else ".", mark))
    return pairs


def _grouper(cells, decimal):
    """Does the decimal mark only ever stand before groups of three digits, beside numbers without it below 1,000?"""
    marked = [cell.lstrip("+-") for cell in cells if decimal in cell]
    group = re.compile(rf"[1-9]\d{{0,2}}(?:{re.escape(decimal)}\d{{3}})+")
    if decimal != "," or len(marked) < 2 or not all(group.fullmatch(cell) for cell in marked):
        return ""
    rest = [cell for cell in cells if decimal not in cell]
    return decimal if rest and all(len(cell.lstrip("+-")) <= 3 for cell in rest) else ""


def kind_of(cells, decimal="."):
    """`(kind, notation or None)` of the cells of a column that are not missing."""
    if not cells:
        return "empty", None
    if all(map(DATE.fullmatch, cells)):
        return "date", None
    if any(CODE.fullmatch(cell) for cell in cells) and all(map(WHOLE.fullmatch, cells)):
        return "text", None
    notation = notation_of(cells, decimal)
    if notation is not None:
        whole = notation.plain and all(map(WHOLE.fullmatch, cells))
        return "whole" if whole else "number", notation
    numbers = sum(is_number(cell, decimal) for cell in cells)
    return ("mixed" if numbers else "text"), None


def unit_mix(cells):
    """The units of a column whose numbers have several, most common first; () where it is not that."""
    dressed = [DRESSED.fullmatch(cell.strip()) for cell in cells]
    if not cells or not all(dressed) or any(match[2] for match in dressed):
        return ()
    units = Counter(match[4].strip() for match in dressed)
    return tuple(unit or "none" for unit, _ in units.most_common()) if 1 < len(units) <= 6 else ()
