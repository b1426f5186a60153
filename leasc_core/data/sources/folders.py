"""Where files may be kept that are too large for the system's temporary folder."""

import os
import sys
from pathlib import Path


def cache_folder():
    """`LEASC_CACHE`, or the folder where this system keeps caches."""
    if os.environ.get("LEASC_CACHE"):
        return Path(os.environ["LEASC_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "leasc" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "leasc"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "leasc"
