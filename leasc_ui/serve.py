"""The app behind its door: known hosts only, in no foreign frame, no metrics; what `make serve` and `leasc app` start."""

import streamlit as st
from starlette.middleware import Middleware

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
        elif not host_is_known(_header(scope, b"host"), st.get_option("server.allowedHosts")):
            await _refuse(scope, send, 421, b"This server does not answer to that name.")
        elif scope["path"].startswith(CLOSED) or "/_stcore/metrics" in scope["path"]:
            await _refuse(scope, send, 404, b"Not found.")
        else:
            await self.app(scope, receive, _with_headers(send))


def host_is_known(host: str, allowed) -> bool:
    """Whether a name (its port left out) is one of those allowed; ``*.name`` allows what is below a name, [] all."""
    name = host.rsplit(":", 1)[0] if host.count(":") == 1 or "]:" in host else host
    name = name.strip("[]").lower()
    return not allowed or any(
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


app = st.App(app_folder() / "app.py", middleware=[Middleware(Door)])
