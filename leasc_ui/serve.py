"""The app behind its door: known hosts only, in no foreign frame, no metrics; what `make serve` and `leasc app` start."""

import logging
import traceback
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from leasc_core.runs.bounds import bound
from leasc_core.runs.budget import available_memory
from leasc_ui.launch import OWN_NAMES
from leasc_ui.places import app_folder

CLOSED = ("/_stcore/metrics", "/_stcore/agent")
HEADERS = [
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"frame-ancestors 'none'; object-src 'none'; base-uri 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]


class Door:
    """Looks at every request before Streamlit does, and at every answer after it."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        """An ASGI application around another."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not host_is_known(_header(scope, b"host"), st.get_option("server.allowedHosts") or OWN_NAMES):
            await _refuse(scope, send, 421, b"This server does not answer to that name.")
        elif scope["path"].startswith(CLOSED) or "/_stcore/metrics" in scope["path"]:
            await _refuse(scope, send, 404, b"Not found.")
        else:
            await self.app(scope, receive, _with_headers(send))


def host_is_known(host: str, allowed) -> bool:
    """Whether a name (its port left out) is one of those allowed; ``*.name`` allows what is below a name."""
    name = host.rsplit(":", 1)[0] if host.count(":") == 1 or "]:" in host else host
    name = name.strip("[]").lower()
    return any(
        name == each.strip("[]").lower() or (each.startswith("*.") and name.endswith(each[1:].lower())) for each in allowed
    )


def _header(scope, wanted):
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), "")


def _with_headers(send):
    async def sending(message):
        if message["type"] == "http.response.start":
            own = {name for name, _ in HEADERS}
            message = {**message, "headers": [each for each in message["headers"] if each[0].lower() not in own] + HEADERS}
        await send(message)

    return sending


async def _refuse(scope, send, status, words):
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})


def without_contents(record: logging.LogRecord) -> logging.LogRecord:
    """A line of the log that says where something failed; what an exception says may come from data, so it is left out."""
    if record.exc_info:
        kind, _, frames = record.exc_info
        record.exc_info = None
        record.exc_text = "".join(["Traceback, innermost call last:\n", *traceback.format_tb(frames), kind.__name__])
    return record


@asynccontextmanager
async def serving(app):
    """While the app is served: the log keeps nothing of data, and what visitors compute in threads of this process ends with a
    sentence where memory runs out, before the system ends the server."""
    make_record = logging.getLogRecordFactory()
    logging.setLogRecordFactory(lambda *facts, **more: without_contents(make_record(*facts, **more)))
    bound(available_memory(), None)
    yield


app = st.App(app_folder() / "app.py", middleware=[Middleware(Door)], lifespan=serving)
