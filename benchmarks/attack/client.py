"""A visitor without a browser: the same messages over the same socket, so that hundreds fit on a small machine."""

import re
import socket
import time
import urllib.request
import uuid
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from google.protobuf.json_format import MessageToDict
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PATIENCE = 180.0
LARGEST = 1 << 30
WORDS = {"body", "label", "value", "text", "caption", "icon"}


class Visitor:
    """One tab of one visitor.

    Parameters
    ----------
    secret : what a browser keeps
    headers : what a proxy adds
    session : a session to take up
    host : the name by which the server is called
    """

    def __init__(self, address, secret=None, headers=None, origin=None, session=None, host=None):
        self.address, place = address, urlsplit(address)
        cookie = {"Cookie": f"leasc_visitor={secret}"} if secret else {}
        self.socket = connect(
            f"ws://{host or place.netloc}/_stcore/stream",
            sock=socket.create_connection((place.hostname, place.port)),
            additional_headers={**cookie, **(headers or {})},
            subprotocols=["streamlit", "none", *([session] if session else [])],
            origin=origin,
            max_size=LARGEST,
            open_timeout=PATIENCE,
            # A tab that nobody looks at is still open.
            ping_interval=None,
            max_queue=None,
        )
        self.deltas, self.session, self.page, self.query = {}, "", "", ""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        with suppress(Exception):
            self.socket.close()

    def open(self, page, _wait=True, **query):
        """Go to a page by its name, "" is home; returns the seconds until it is drawn."""
        self.page, self.query = page, urlencode(query)
        return self._run(self._asked(), _wait)

    def click(self, key, wait=True):
        """Press the button of that key."""
        message = self._asked()
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = self.id_of(key), True
        return self._run(message, wait)

    def upload(self, key, files):
        """Give files (name → bytes) to an uploader; returns the seconds until its page is drawn, or the refusal's status."""
        message = BackMsg()
        wanted = message.file_urls_request
        wanted.request_id, wanted.session_id = uuid.uuid4().hex, self.session
        wanted.file_names.extend(files)
        self.socket.send(message.SerializeToString())
        urls = self._until("file_urls_response").file_urls_response.file_urls
        back = self._asked()
        state = back.rerun_script.widget_states.widgets.add()
        state.id = self.id_of(key)
        for url, (name, body) in zip(urls, files.items(), strict=True):
            _put(self.address + url.upload_url, name, body)
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name, info.size = url.file_id, name, len(body)
            info.file_urls.CopyFrom(url)
        return self._run(back, True)

    def id_of(self, key):
        """The identity of the widget whose key is, or begins with, this."""
        for delta in self.deltas.values():
            for found in _strings(delta, {"id"}):
                if re.search(rf"-{re.escape(key)}(?:_\d+)?$", found):
                    return found
        raise LookupError(f"There is no {key} on {self.page or 'Home'}: {self.said()[:300]}")

    def has(self, key):
        """Whether a widget of that key is there."""
        with suppress(LookupError):
            return bool(self.id_of(key))
        return False

    def said(self):
        """All words on the page."""
        return "\n".join(text for delta in self.deltas.values() for text in _strings(delta, WORDS))

    def wait(self, done, patience=PATIENCE):
        """Take in what the server sends (and ask again now and then) until ``done()``; returns the seconds."""
        begun = asked = time.monotonic()
        while not done():
            if time.monotonic() - begun > patience:
                raise TimeoutError(self.said()[-600:])
            if time.monotonic() - asked > 1.0:
                self._run(self._asked(), True)
                asked = time.monotonic()
            else:
                self._take(0.2)
        return time.monotonic() - begun

    def _asked(self):
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = self.page, self.query
        return message

    def _run(self, message, wait):
        begun = time.monotonic()
        self.socket.send(message.SerializeToString())
        if wait:
            while self._until("script_finished").script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
                pass
        return time.monotonic() - begun

    def _until(self, kind):
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            message = self._take(ends - time.monotonic())
            if message is not None and message.WhichOneof("type") == kind:
                return message
        raise TimeoutError(f"no {kind} on {self.page or 'Home'} within {PATIENCE:.0f} s")

    def _take(self, timeout):
        try:
            message = ForwardMsg.FromString(self.socket.recv(timeout=timeout))
        except TimeoutError:
            return None
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
            if not message.metadata.run.fragment_ids:
                self.deltas = {}
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            self.deltas[tuple(message.metadata.delta_path)] = MessageToDict(message.delta, preserving_proto_field_name=True)
        return message


def refused(address, **settings):
    """Whether the server refuses the socket."""
    try:
        with Visitor(address, **settings) as visitor:
            visitor.open("")
    except (ConnectionClosed, OSError, Exception) as problem:  # noqa: B014 - whatever way it is refused
        return type(problem).__name__
    return None


def _strings(part, names):
    if isinstance(part, dict):
        for name, value in part.items():
            if name in names and isinstance(value, str):
                yield value
            else:
                yield from _strings(value, names)
    elif isinstance(part, list):
        for each in part:
            yield from _strings(each, names)


def _put(url, name, body):
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    data = head + body + f"\r\n--{edge}--\r\n".encode()
    token = _token(url)
    kind = {"Content-Type": f"multipart/form-data; boundary={edge}", "X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    urllib.request.urlopen(urllib.request.Request(url, data, kind, method="PUT"), timeout=PATIENCE).close()


def _token(url):
    """What the server gives a page against requests from other sites."""
    place = urlsplit(url)
    with urllib.request.urlopen(f"{place.scheme}://{place.netloc}/_stcore/health", timeout=PATIENCE) as answer:
        found = re.search(r"_streamlit_xsrf=([^;]+)", answer.headers.get("Set-Cookie", ""))
    return found[1] if found else ""
