"""Two people who have signed in, and forty ways from one to what the other has; foreign names and pages at the door."""

import io
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np

from leasc_ui.frame.visitor import folder_of
from leasc_ui.serve import __file__ as SERVE
from tests.browser.serving import ROOT, served

from .client import Visitor, refused

HEADER, ADA, BO = "X-Forwarded-User", "ada@lab.example", "bo@lab.example"
PAGES = ["", "Data", "Representatives", "Train", "Cluster", "Label_new_data", "Compare", "Theory"]
TREASURE = "treasure"


def doors(quick):
    """What Bo reaches of Ada's, and what a stranger reaches at all."""
    settings = {"LEASC_SIGN_IN": HEADER, "LEASC_USERS": "@lab.example", "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as place, served(place, Path(SERVE), **settings) as (address, _):
        folder = Path(place)
        with Visitor(address, headers={HEADER: ADA}) as ada:
            has_something(ada)
            theirs = {path for path in folder.rglob("*") if path.is_file() and folder_of(ADA) in str(path)}
            run = next(folder.glob(f"runs/{folder_of(ADA)}/runs/*"))
            upload = next(path for path in theirs if path.name.startswith(TREASURE))
            ways = [
                {"run": run.name},
                {"way": "file", "file": str(upload), "data.way": "file", "data.file": str(upload)},
                {"way": "file", "file": f"../cache/uploads/{upload.parent.name}/{upload.name}", "folder": str(run)},
                {"data.way": "file", "data.file": f"../runs/{folder_of(ADA)}/runs/{run.name}/labels.npy", "made": "model"},
                {"session": ada.session, "open": str(run), "project": str(run)},
            ]
            reached, attempts = [], 0
            for page in PAGES:
                for way in ways:
                    with Visitor(address, headers={HEADER: BO}) as bo:
                        bo.open(page, **way)
                        attempts += 1
                        reached += [(page, way)] if TREASURE in bo.said() or "exception" in str(bo.deltas) else []
            with Visitor(address, headers={HEADER: BO}, session=ada.session) as thief:
                thief.open("Cluster")
                reached += ["session"] if TREASURE in thief.said() else []
        strangers = [
            refused(address, headers={HEADER: BO}, host="evil.example"),
            refused(address, headers={HEADER: BO}, origin="http://evil.example"),
            status(address, "/", Host="evil.example") == 421,
            status(address, "/_stcore/metrics") == 404,
            "DENY" in headers_of(address).get("x-frame-options", ""),
        ]
        with Visitor(address) as nobody:
            nobody.open("")
            unknown = "where you sign in" in nobody.said() and not nobody.has("begin")
    return [
        (f"{attempts + 1} ways from one visitor to another's uploads, runs, links and session: reached", len(reached), 0, ""),
        ("Foreign Host, foreign Origin, metrics, frames, nobody: refused", sum(map(bool, [*strangers, unknown])), 6, "of 6"),
    ]


def has_something(visitor):
    """An upload and a finished run of it."""
    body = io.BytesIO()
    np.save(body, np.random.default_rng(0).normal(size=(300, 8)))
    visitor.open("Data", way="file")
    visitor.upload("data_upload", {f"{TREASURE}.npy": body.getvalue()})
    visitor.wait(lambda: "300 points" in visitor.said())
    visitor.open("Cluster", how="given", clusters=3)
    visitor.wait(lambda: visitor.has("begin"))
    visitor.click("begin")
    visitor.wait(lambda: "Labels, CSV" in visitor.said())


def status(address, path, **headers):
    try:
        return urllib.request.urlopen(urllib.request.Request(address + path, headers=headers), timeout=20).status
    except urllib.error.HTTPError as answer:
        return answer.code


def headers_of(address):
    return dict(urllib.request.urlopen(address, timeout=20).headers)
