"""In which encoding a text file is written, and the file as UTF-8 whatever it is."""

import codecs
import io
import re

from leasc_core.data.guards import MEGABYTE, refuse
from leasc_core.data.reading.blobs import Blob
from leasc_core.errors import ParameterError

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UTF8 = ("utf-8", "utf-8-sig", "ascii")
# Signs beyond ASCII that western European tables hold; of what is written in Windows-1252 nearly all are among them.
WESTERN = frozenset("äöüÄÖÜßéèêëàâáãåæçñíìîïóòôõøœúùûýÿÉÈÊÀÂÁÃÅÆÇÑÍÓÔÕØÚÛ°µ²³±€£§©®ªº«»–—‘’“”„…·×¿¡¼½¾ \u00a0")
SURE = 0.9
# Windows-1252, old Macs, DOS: what western tables of one byte a sign are written in.
WESTERN_ENCODINGS = ("cp1252", "mac_roman", "cp850")
WORD = re.compile(r"[^\W\d_]+")
SOUND = re.compile(r"(?=.*[a-zA-Z])(?:\w?[^A-ZÀ-ÖØ-Þ]+|[^a-zß-öø-ÿ]+)")
SIGN_IN_WORD = re.compile(r"[^\W\d_][^\w\s!-~’·–—…][^\W\d_]")
LOOKED_AT = 1 * MEGABYTE
LOOKED_THROUGH = 64 * MEGABYTE
BLOCK = 1 << 18


class DecodedBlob(Blob):
    """A text file that gives UTF-8, whatever it is stored in; a byte that cannot be is refused where it is met."""

    def __init__(self, base, encoding):
        self.base, self.encoding = base, encoding
        self.name, self.path, self.is_folder, self.packed, self.size = base.name, base.path, False, base.packed, base.size

    def open(self):
        """A fresh forward-only binary file at its beginning."""
        return io.BufferedReader(_Decoded(self.base, self.encoding), BLOCK)


class _Decoded(io.RawIOBase):
    def __init__(self, blob, encoding):
        self.file, self.name_of_file, self.encoding = blob.open(), blob.name, encoding
        self.decoder, self.held, self.ended = codecs.getincrementaldecoder(encoding)(), b"", False

    def readable(self):
        return True

    def readinto(self, buffer):
        while not self.held and not self.ended:
            stored = self.file.read(BLOCK)
            self.ended = not stored
            try:
                self.held = self.decoder.decode(stored, final=self.ended).encode("utf-8")
            except UnicodeError:
                what = f"is not written in {self.encoding} throughout"
                raise refuse(self.name_of_file, what, "say its encoding (encoding=), or save it as UTF-8") from None
        count = min(len(buffer), len(self.held))
        buffer[:count], self.held = self.held[:count], self.held[count:]
        return count

    def close(self):
        if not self.closed:
            self.file.close()
        super().close()


def as_utf8(blob, encoding=None):
    """`(blob that gives UTF-8, name of its encoding)`; the encoding is found where it is not given."""
    encoding = checked_encoding(encoding) if encoding else find_encoding(blob)
    if encoding in ("utf-8", "ascii") and not blob.head(3).startswith(codecs.BOM_UTF8):
        return blob, "utf-8"
    return DecodedBlob(blob, "utf-8-sig" if encoding in UTF8 else encoding), encoding


def checked_encoding(encoding):
    """Python's name for a text encoding."""
    try:
        found = codecs.lookup(encoding)
        if not getattr(found, "_is_text_encoding", True):
            raise LookupError
    except (LookupError, TypeError, ValueError):
        raise ParameterError(f"encoding={encoding!r} is unknown: give one such as utf-8, cp1252, utf-16 or shift_jis.") from None
    return found.name


def find_encoding(blob):
    """By its mark, by zero bytes, by being UTF-8, by its signs; refused where none can be told."""
    head = blob.head(LOOKED_AT)
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        return _wide(head, blob.name)
    odd = _not_utf8(blob, head)
    return "utf-8" if odd is None else _of_one_byte(odd, blob.name)


def _wide(head, name):
    """UTF-16 without a mark: nearly every second byte is zero."""
    part = head[: len(head) // 2 * 2][: 1 << 16]
    even, uneven = part[::2].count(0), part[1::2].count(0)
    if part and max(even, uneven) > 0.6 * len(part) / 2 and min(even, uneven) < 0.05 * len(part) / 2:
        return "utf-16-be" if even > uneven else "utf-16-le"
    raise refuse(name, "is not text (it contains zero bytes)", "check the format, or save it as CSV in UTF-8")


def _not_utf8(blob, head):
    """None for UTF-8, as far as is looked; else some of the text, with what is not UTF-8 in it."""
    if not head.isascii() and _broken(head, whole=len(head) < LOOKED_AT):
        return head
    if len(head) < LOOKED_AT or blob.packed:
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    with blob.open() as file:
        seen = 0
        while seen < LOOKED_THROUGH and (part := file.read(LOOKED_AT)):
            try:
                if decoder.getstate()[0] or not part.isascii():
                    decoder.decode(part)
            except UnicodeDecodeError as error:
                return head[: LOOKED_AT // 2] + part[max(0, error.start - 1000) : error.start + 100_000]
            seen += len(part)
    return None


def _broken(text, whole):
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text, final=whole)
    except UnicodeDecodeError:
        return True
    return False


def _is_western(text, encoding):
    """Are nearly all signs beyond ASCII western ones, and words of them sound: plain letters too, no capital or sign inside?"""
    try:
        decoded = codecs.getincrementaldecoder(encoding)().decode(text)
    except UnicodeDecodeError:
        return False
    signs = [sign for sign in decoded if not sign.isascii()]
    if sum(sign in WESTERN for sign in signs) < SURE * len(signs):
        return False
    words = [word for word in WORD.findall(decoded) if not word.isascii()]
    odd = [word for word in words if len(word) > 1 and not SOUND.fullmatch(word)] + SIGN_IN_WORD.findall(decoded)
    return len(odd) <= (1 - SURE) * len(words)


def _of_one_byte(text, name):
    """Windows-1252 (which holds Latin-1) where its signs are western, else what the statistics of languages say."""
    for encoding in WESTERN_ENCODINGS:
        if _is_western(text, encoding):
            return encoding
    from charset_normalizer import from_bytes

    found = from_bytes(text[:BLOCK]).best()
    if found is None or found.encoding in UTF8 or found.percent_chaos > 20:
        at = next(place for place, byte in enumerate(text) if byte > 127)
        what = f"is in an encoding that cannot be told (byte 0x{text[at]:02X} is not UTF-8)"
        raise refuse(name, what, "say which (encoding=), or save it as UTF-8")
    return found.encoding
