"""How many bytes an Arrow file unpacks to, read from its footer and messages without unpacking anything."""

import struct

BLOCK = struct.Struct("<qi4xq")
BUFFER = struct.Struct("<qq")
LONG, INT, SHORT, BYTE = (struct.Struct(each) for each in ("<q", "<i", "<h", "<B"))
# Fields of the format's tables (Message, Footer, RecordBatch, DictionaryBatch), by their place in the schema.
FOOTER_DICTIONARIES, FOOTER_BATCHES = 2, 3
MESSAGE_KIND, MESSAGE_HEADER = 1, 2
BATCH_BUFFERS, BATCH_COMPRESSION = 2, 3
DICTIONARY_DATA = 1
DICTIONARY_BATCH = 2
END = b"ARROW1"


def unpacked_bytes(file, size) -> int:
    """The sum over all buffers of the file of what they hold; ValueError or struct.error where it is no such file."""
    file.seek(size - 10)
    tail = file.read(10)
    if tail[4:] != END:
        raise ValueError("its end is missing")
    length = INT.unpack(tail[:4])[0]
    if not 0 < length <= size - 10:
        raise ValueError("its footer has an impossible length")
    file.seek(size - 10 - length)
    footer = file.read(length)
    root = INT.unpack_from(footer)[0]
    blocks = [*_vector(footer, root, FOOTER_DICTIONARIES, BLOCK), *_vector(footer, root, FOOTER_BATCHES, BLOCK)]
    return sum(_unpacked(file, size, *block) for block in blocks)


def _unpacked(file, size, offset, header, body):
    """What one message unpacks to."""
    if min(offset, header, body) < 0 or offset + header + body > size:
        raise ValueError("a block lies outside the file")
    file.seek(offset)
    message = file.read(header)
    message = message[8:] if message[:4] == b"\xff\xff\xff\xff" else message[4:]
    root = INT.unpack_from(message)[0]
    batch = _table(message, root, MESSAGE_HEADER)
    kind = _field(message, root, MESSAGE_KIND)
    if batch is not None and kind is not None and BYTE.unpack_from(message, kind)[0] == DICTIONARY_BATCH:
        batch = _table(message, batch, DICTIONARY_DATA)
    if batch is None or _field(message, batch, BATCH_COMPRESSION) is None:
        return body
    total = 0
    for at, length in _vector(message, batch, BATCH_BUFFERS, BUFFER):
        if length < 8:
            continue
        file.seek(offset + header + at)
        claimed = LONG.unpack(file.read(8))[0]
        total += length if claimed < 0 else claimed
    return total


def _field(data, table, number):
    """Where a field of a flatbuffers table stands; None where it is left out."""
    vtable = table - INT.unpack_from(data, table)[0]
    if 4 + 2 * number >= SHORT.unpack_from(data, vtable)[0]:
        return None
    offset = SHORT.unpack_from(data, vtable + 4 + 2 * number)[0]
    return table + offset if offset else None


def _table(data, table, number):
    at = _field(data, table, number)
    return None if at is None else at + INT.unpack_from(data, at)[0]


def _vector(data, table, number, each):
    at = _table(data, table, number)
    if at is None:
        return []
    count = INT.unpack_from(data, at)[0]
    if not 0 <= count <= len(data) // each.size:
        raise ValueError("a list has an impossible length")
    return [each.unpack_from(data, at + 4 + place * each.size) for place in range(count)]
