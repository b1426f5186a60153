"""Zip archives opened with care: directory and members are weighed before anything is unpacked."""

import stat
import zipfile
from collections import Counter

from leasc_core.data.guards import (
    check_expansion,
    check_header,
    check_member_name,
    check_members,
    one_line,
    parsing,
    refuse,
)

END = b"PK\x05\x06"
END_64 = b"PK\x06\x06"
LONGEST_END = 22 + 0xFFFF + 76
KNOWN_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1


def open_archive(blob, limits):
    """The `ZipFile`, once its directory and all its members have passed the limits."""
    check_header(blob.name, _directory_bytes(blob), "directory", limits)
    with parsing(blob.name, "zip"):
        archive = zipfile.ZipFile(blob.open())
    members = archive.infolist()
    check_members(blob.name, len(members), limits)
    repeated = [name for name, count in Counter(member.filename for member in members).items() if count > 1]
    if repeated:
        raise refuse(blob.name, f"holds '{one_line(repeated[0], 60)}' more than once", "make the archive with each name once")
    for member in members:
        _check_member(blob.name, member, limits)
    check_expansion(blob.name, blob.size, sum(member.file_size for member in members), limits)
    return archive


def open_member(archive, member, name):
    """One member as a stream that never gives more than its directory entry declares."""
    with parsing(f"{name}/{member.filename}", "zip member"):
        return archive.open(member)


def read_member(archive, member, name):
    """All bytes of one member."""
    with parsing(f"{name}/{member.filename}", "zip member"), archive.open(member) as file:
        data = file.read(member.file_size)
    if len(data) != member.file_size:
        raise refuse(name, f"ends inside '{member.filename}'", "make or download it again")
    return data


def _directory_bytes(blob):
    tail = blob.tail(LONGEST_END)
    at = tail.rfind(END)
    if at < 0 or len(tail) < at + 22:
        raise refuse(blob.name, "is a zip archive without its end", "make or download it again")
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    at_64 = tail.rfind(END_64)
    if size == 0xFFFFFFFF and at_64 >= 0:
        size = int.from_bytes(tail[at_64 + 40 : at_64 + 48], "little")
    return size


def _check_member(name, member, limits):
    check_member_name(name, member.filename)
    if stat.S_ISLNK(member.external_attr >> 16):
        raise refuse(name, f"has the symbolic link '{member.filename}'", "make the archive with real files")
    if member.flag_bits & ENCRYPTED:
        raise refuse(name, f"has the encrypted member '{member.filename}'", "make the archive without a password")
    if member.compress_type not in KNOWN_PACKINGS:
        raise refuse(name, f"packs '{member.filename}' in an unusual way", "make a plain zip archive")
    check_expansion(f"{name}/{member.filename}", member.compress_size, member.file_size, limits)
