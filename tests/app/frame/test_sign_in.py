"""Who may come in: the list, the hours, the header of a proxy; visitors apart; and the door before it all."""

import asyncio
import copy
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from leasc_core.runs import run
from leasc_ui.frame import sign_in
from leasc_ui.frame.sign_in import is_current, may_enter
from leasc_ui.launch import OWN_NAMES
from leasc_ui.serve import Door, host_is_known, without_contents
from leasc_ui.work import runs
from tests.app.visits import HOME

ROOT = Path(__file__).parents[3]
PAGES = ["app.py", *sorted(f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py"))]


@pytest.mark.parametrize(
    ("name", "users", "enters"),
    [
        ("ada@lab.example", "ada@lab.example, bo@lab.example", True),
        ("Ada@Lab.example", "ada@lab.example", True),
        ("ada@lab.example", "@lab.example", True),
        ("ada@evil.lab.example", "@lab.example", False),
        ("ada@lab.example.evil", "@lab.example", False),
        ("ada@lab.example", "", False),
        ("", "@lab.example", False),
        ("ada", "@", False),
    ],
)
def test_the_list(name, users, enters):
    assert may_enter(name, users) is enters


@pytest.mark.parametrize(
    ("claims", "good"),
    [({"iat": 1000}, True), ({"iat": -9e6}, False), ({"iat": 9e6}, False), ({}, False), ({"iat": "1000"}, False)],
)
def test_the_hours(claims, good):
    assert is_current(claims, 1000 + 3600, 12.0) is good


@pytest.fixture
def proxied(monkeypatch):
    """A server behind a proxy that names people; returns a function that says who comes next."""
    monkeypatch.setenv("LEASC_SIGN_IN", "X-Forwarded-User")
    monkeypatch.setenv("LEASC_USERS", "ada@lab.example,bo@lab.example")
    comes = {}
    monkeypatch.setattr(sign_in, "_header_of", lambda header: comes.get("name", ""))
    return lambda name: comes.update(name=name)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name"), [(page, ("", "eve@evil.example")[at % 2]) for at, page in enumerate(PAGES)])
def test_no_page_shows_anything_to_a_stranger(proxied, name, page):
    proxied(name)
    app = AppTest.from_file(HOME, default_timeout=60)
    app.switch_page(page)
    app.run()
    assert not app.exception and len(app.error) == 1 and not app.button and not app.metric
    assert "session" not in app.session_state


@pytest.mark.slow
def test_visitors_do_not_reach_each_other(proxied, tmp_path):
    """Forty attempts: every page, with every address that could name the other's run."""
    points = tmp_path / "points.npy"
    np.save(points, np.random.default_rng(0).normal(size=(60, 5)))
    proxied("ada@lab.example")
    app = AppTest.from_file(HOME, default_timeout=60)
    app.run()
    theirs = runs.new_folder(_folder_of("ada@lab.example"))
    run.prepare(theirs, points, {"n_clusters": 2})
    (theirs / "request.json").write_text("{}")
    proxied("bo@lab.example")
    reached, attempts = [], 0
    ways = [{"run": theirs.name}, {"folder": str(theirs)}, {"data.way": "file", "data.file": str(theirs / "config.json")}]
    ways += [{"way": "file", "file": f"../../{theirs.parent.parent.name}/runs/{theirs.name}/config.json"}, {"new": str(theirs)}]
    for page in PAGES[:8]:
        for address in ways:
            app = AppTest.from_file(HOME, default_timeout=60)
            app.switch_page(page)
            for name, value in address.items():
                app.query_params[name] = value
            app.run()
            attempts += 1
            said = " ".join(str(each.value) for kind in (app.markdown, app.caption, app.error, app.warning) for each in kind)
            reached += [(page, address)] if theirs.name in said or "points.npy" in said else []
    assert attempts == 40 and not reached
    assert runs.runs_of(_folder_of("bo@lab.example")) == [] and runs.runs_of(_folder_of("ada@lab.example")) == [theirs]


def test_a_session_that_changes_hands_is_emptied(proxied):
    proxied("ada@lab.example")
    app = AppTest.from_file(HOME, default_timeout=60).run()
    app.session_state["treasure"] = "of Ada"
    proxied("bo@lab.example")
    app.run()
    assert "treasure" not in app.session_state


def test_a_page_that_stays_open_is_not_signed_in_for_ever(proxied, monkeypatch):
    proxied("ada@lab.example")
    app = AppTest.from_file(HOME, default_timeout=60).run()
    assert not app.error
    monkeypatch.setenv("LEASC_SIGN_IN_HOURS", "0")
    app.run()
    assert [each.value for each in app.error] == ["Your sign-in has expired; load this page again. What you have made is kept."]


@pytest.mark.parametrize(("said", "name"), [(["ada"], "ada"), ([], ""), (["eve", "ada"], "")])
def test_a_header_that_was_there_before_the_proxy_added_its_own_names_nobody(monkeypatch, said, name):
    headers = type("Headers", (), {"get_all": lambda self, header: said})()
    monkeypatch.setattr(sign_in.st, "context", type("Context", (), {"headers": headers})())
    assert sign_in._header_of("X-Forwarded-User") == name


def _folder_of(name):
    from leasc_ui.frame.visitor import folder_of

    return folder_of(name)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8501", True),
        ("LOCALHOST", True),
        ("[::1]:8501", True),
        ("a.lab.example", True),
        ("lab.example.evil", False),
        ("evil.example", False),
        ("", False),
        ("localhost.evil.example:8501", False),
    ],
)
def test_the_names_a_server_answers_to(host, known):
    assert host_is_known(host, ["localhost", "::1", "*.lab.example"]) is known


def asked(path, host="localhost:8501", kind="http"):
    """Status and headers of an answer through the door."""
    sent = []

    async def inner(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"ALLOWALL")]})

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "path": path, "headers": [(b"host", host.encode())]}
    with ThreadPoolExecutor(1) as thread:  # browser tests that came before leave an event loop at work in this one
        thread.submit(asyncio.run, Door(inner)(scope, None, send)).result()
    return sent[0].get("status", sent[0].get("code")), dict(sent[0].get("headers", []))


@pytest.mark.parametrize("named", [[], ["lab.example"]])
def test_the_door(named, monkeypatch):
    """Also where no configuration was found, as in a process that was started in another folder: then this machine alone."""
    monkeypatch.setattr("leasc_ui.serve.st.get_option", lambda name: named and [*OWN_NAMES, *named])
    assert asked("/", "lab.example")[0] == (200 if named else 421)
    status, headers = asked("/")
    assert (
        status == 200
        and headers[b"x-frame-options"] == b"DENY"
        and b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    )
    assert asked("/_stcore/metrics")[0] == 404 and asked("/sub/_stcore/metrics")[0] == 404
    assert asked("/", "evil.example")[0] == 421 and asked("/_stcore/stream", "evil.example", "websocket")[0] == 1008


def test_the_log_says_where_something_failed_and_nothing_of_the_data():
    try:
        float("a secret diagnosis")
    except ValueError:
        record = logging.LogRecord("jobs", logging.ERROR, __file__, 1, "%s failed", ("training",), sys.exc_info())
    assert "secret diagnosis" in logging.Formatter().format(copy.copy(record)), "what the test is about"
    said = logging.Formatter().format(without_contents(record))
    assert said.startswith("training failed") and __file__ in said and said.endswith("ValueError")
    assert "could not convert" not in said


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
@pytest.mark.parametrize(
    ("bounds", "work", "sentence"),
    [
        ({"LEASC_JOB_MEMORY": "1e8"}, "bytearray(3 << 30)", "MemoryError"),
        ({"LEASC_JOB_HOURS": "0.0002"}, "\nwhile True: pass", "more processor time than this server gives"),
    ],
)
def test_a_job_that_takes_too_much_is_ended_by_the_system(bounds, work, sentence):
    program = f"from leasc_core.runs.bounds import bound_by_environment as b; b(); {work}"
    command, environment = [sys.executable, "-c", program], {**os.environ, **bounds}
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1 and sentence in ended.stderr
