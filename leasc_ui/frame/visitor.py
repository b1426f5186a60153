"""Who is here: a secret that the visitor's browser keeps, so that who comes back finds his runs, and nobody else does."""

import re
import secrets
from hashlib import sha256

import streamlit as st

from leasc_ui.frame.sign_in import person

SECRET = re.compile(r"[0-9a-f]{32}")
COOKIE = "leasc_visitor"
# The cookie comes with the first request of a page, so that the server knows who is here before it draws anything.
KEEPER = """
export default function ({ data, setStateValue }) {
  let secret = null
  try {
    secret = localStorage.getItem("leasc-visitor")
    if (!/^[0-9a-f]{32}$/.test(secret ?? "")) {
      secret = data.proposal
      localStorage.setItem("leasc-visitor", secret)
    }
  } catch { secret = data.proposal }
  try {
    document.cookie = `leasc_visitor=${secret}; path=/; max-age=31536000; samesite=strict`
  } catch { /* without cookies a reload begins anew */ }
  if (secret !== data.proposal) setStateValue("secret", secret)
}
"""


def keep_visitor():
    """At the top of every page, once: an invisible element that lets the browser keep, and tell, who is here.

    The session proposes a secret; a browser that has one from an earlier visit answers with that. Until it has answered, and
    where there is no browser, the session's own counts.
    """
    own = _secret()
    with st.container(key="visitor_keeper"):
        answer = _keeper()(data={"proposal": own}, key="visitor", on_secret_change=lambda: None)
    said = getattr(answer, "secret", None)
    if isinstance(said, str) and SECRET.fullmatch(said) and said != own:
        st.session_state["visitor_secret"] = said


def visitor():
    """The name of this visitor's folder: of the person, where the server asks people to sign in, else of the browser."""
    name = person()
    if name is not None:
        return folder_of(name)
    return sha256(_secret().encode()).hexdigest()[:24]


def seen_before():
    """Whether the browser has told who is here: it was here before."""
    return _told() is not None


def _told():
    """The secret that came with the browser's request, or None."""
    told = st.context.cookies.get(COOKIE)
    return told if isinstance(told, str) and SECRET.fullmatch(told) else None


def _secret():
    if "visitor_secret" not in st.session_state:
        st.session_state["visitor_secret"] = _told() or secrets.token_hex(16)
    return st.session_state["visitor_secret"]


def folder_of(name):
    """The folder of who signed in under this name."""
    return sha256(f"person:{name.lower()}".encode()).hexdigest()[:24]


@st.cache_resource(show_spinner=False)
def _keeper():
    return st.components.v2.component("leasc_visitor", js=KEEPER)
