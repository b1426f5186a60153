"""The page of pictures: it shows the pages and steps as they are called today, and every picture on the shelf."""

import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_gallery_shows_every_picture_and_is_as_its_script_writes_it():
    spec = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    written = (DOCS / "gallery.md").read_text("utf-8")
    assert written == gallery.page_of_all(), "run python docs/gallery.py words"
    shown = set(re.findall(r"\(gallery/(\w+\.png)", written))
    phones = {f"tour_{number}_{step.name}_phone.png" for number, step in enumerate(gallery.steps(), 1)}
    assert shown - {path.name for path in gallery.SHELF.glob("*.png")} == set()
    assert {path.name for path in gallery.SHELF.glob("*.png")} - phones <= shown
