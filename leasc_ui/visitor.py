"""Who is here: a secret that the visitor's browser keeps, so that who comes back finds his runs, and nobody else does."""

import re
import secrets
from hashlib import sha256

import streamlit as st

SECRET = re.compile(r"[0-9a-f]{32}")
# It shows nothing, so it takes no room.
STYLE = """<style>[data-testid=stLayoutWrapper]:has(>.st-key-visitor_keeper){position:absolute;left:0;width:1px!important;
overflow:hidden}</style>"""
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
  if (secret !== data.proposal) setStateValue("secret", secret)
}
"""


def visitor():
    """The name of this visitor's folder; call it once on a page, where an invisible element may stand.

    The session proposes a secret; a browser that has one from an earlier visit answers with that. Until it has answered, and
    where there is no browser, the session's own counts.
    """
    own = st.session_state.setdefault("visitor_secret", secrets.token_hex(16))
    with st.container(key="visitor_keeper"):
        st.html(STYLE)
        answer = _keeper()(data={"proposal": own}, key="visitor", on_secret_change=lambda: None)
    said = getattr(answer, "secret", None)
    if isinstance(said, str) and SECRET.fullmatch(said) and said != own:
        st.session_state["visitor_secret"] = own = said
    return sha256(own.encode()).hexdigest()[:24]


@st.cache_resource(show_spinner=False)
def _keeper():
    return st.components.v2.component("leasc_visitor", js=KEEPER)
