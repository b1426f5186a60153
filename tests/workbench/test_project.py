"""Projects: what is written is read again, and files that were made to harm are refused before anything is unpacked."""

import json
import zipfile

import pytest

from leasc_core.errors import DataError
from leasc_core.workbench.project import FORMAT, MANIFEST, VERSION, read_project, write_project


@pytest.fixture
def project(tmp_path):
    big = tmp_path / "labels.npy"
    big.write_bytes(b"labels" * 100_000)
    files = {"runs/1/labels.npy": big, "runs/1/edits.json": b"{}", "data/mes donn\u00e9es (1).csv": b"a,b\n1,2\n"}
    return write_project(tmp_path / "a.leascproj", "My data", {"notes": "seen"}, files)


def test_what_is_written_is_read_again(project, tmp_path):
    found = read_project(project)
    assert (found.name, found.state) == ("My data", {"notes": "seen"})
    folder = found.extract(tmp_path / "open")
    assert (folder / "runs/1/labels.npy").read_bytes() == (tmp_path / "labels.npy").read_bytes()
    assert (folder / "data/mes donn\u00e9es (1).csv").read_bytes() == b"a,b\n1,2\n"
    with pytest.raises(DataError, match="exists already"):
        found.extract(tmp_path / "open")


def test_a_changed_byte_is_noticed_and_nothing_is_left(project, tmp_path):
    changed = tmp_path / "changed.leascproj"
    with zipfile.ZipFile(project) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"{ " if name.endswith("edits.json") else old.read(name))
    with pytest.raises(DataError, match="damaged: runs/1/edits.json"):
        read_project(changed).extract(tmp_path / "open")
    assert not (tmp_path / "open").exists()
    assert not list(tmp_path.glob(".open*"))


MEMBERS = ["../x", "/etc/x", "a/../../x", "a\\b", "C:/x", ".hidden", "a//b", "a/", "a/b/c/d/e/f/g", "x\x00y", "con. ", "a" * 200]


@pytest.mark.parametrize("member", MEMBERS)
def test_names_that_lead_elsewhere_are_refused(member, tmp_path):
    path = tmp_path / "bad.leascproj"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, json.dumps(_manifest([{"path": member, "size": 1, "sha256": ""}])))
        archive.writestr(zipfile.ZipInfo(member) if "\x00" not in member else _with_zero(member), "x")
    with pytest.raises(DataError, match=r"\.leascproj|choose"):
        read_project(path).extract(tmp_path / "open")
    with pytest.raises(DataError):
        write_project(tmp_path / "b.leascproj", "b", {}, {member: b"x"})


def test_links_bombs_and_two_of_a_name_are_refused(tmp_path):
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    for entries in ([(link, "/etc/passwd")], [("zeros", bytes(50 << 20))], [("a", "1"), ("A", "2")]):
        path = tmp_path / "bad.leascproj"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(_manifest([])))
            for name, content in entries:
                archive.writestr(name, content)
        with pytest.raises(DataError):
            read_project(path)


@pytest.mark.parametrize(
    "manifest",
    [
        "[]",
        "{",
        "[" * 100_000,
        json.dumps({"format": "other"}),
        json.dumps({"format": FORMAT, "version": 99}),
        json.dumps({"format": FORMAT, "version": VERSION}),
        json.dumps({"format": FORMAT, "version": VERSION, "name": "x", "written": 0, "state": 3, "files": []}),
        json.dumps({"format": FORMAT, "version": VERSION, "name": "x", "written": 0, "state": {}, "files": [{"path": "gone"}]}),
    ],
)
def test_manifests_that_make_no_sense_are_refused(manifest, tmp_path):
    path = tmp_path / "bad.leascproj"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, manifest)
    with pytest.raises(DataError):
        read_project(path)


def test_what_is_no_zip_is_refused(tmp_path):
    (tmp_path / "text.leascproj").write_text("hello")
    for name in ("text.leascproj", "gone.leascproj"):
        with pytest.raises(DataError, match=name):
            read_project(tmp_path / name)


def _manifest(files):
    return {"format": FORMAT, "version": VERSION, "name": "x", "written": 0, "state": {}, "files": files}


def _with_zero(member):
    entry = zipfile.ZipInfo("a")
    entry.filename = member
    return entry
