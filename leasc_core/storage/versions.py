"""Which version wrote a file: what it is refused for, by name, where this program is older."""

import leasc_core


def stamp(version: int) -> dict:
    """What every file that is kept says of its writer."""
    return {"version": version, "program": leasc_core.__version__}


def unreadable(name, what: str, manifest: dict, known: tuple[int, ...]) -> str | None:
    """Why a file of this version cannot be read, in one sentence; None where it can."""
    version, writer = manifest.get("version"), str(manifest.get("program", "an unnamed version"))[:40]
    if type(version) is int and version in known:
        return None
    reads = f"{known[0]} to {known[-1]}" if len(known) > 1 else f"{known[0]}"
    remedy = f"save the {what} again with {leasc_core.__version__}"
    if type(version) is int and version > known[-1]:
        remedy = f"install LeaSC Studio {writer} or newer (or {remedy})"
    return (
        f"{name} has {what} version {str(version)[:40]}, written by LeaSC Studio {writer}, and this is {leasc_core.__version__}, "
        f"which reads {reads}; {remedy}."
    )
