"""Who may come in, where the server asks: by OpenID Connect (`st.login`), or by a proxy that names people in a header.

``LEASC_SIGN_IN`` is ``oidc`` or the name of that header; without it the app asks nobody, as on one's own machine. ``LEASC_USERS``
lists who may come in, with commas: addresses, or ``@domain`` for all of one; ``LEASC_SIGN_IN_HOURS`` is how long it lasts (12).
"""

import os
import time

import streamlit as st

OIDC, HOURS, OWNER, SINCE = "oidc", 12.0, "signed_in_as", "signed_in_since"


def person() -> str | None:
    """Who this visitor is; None where the server asks nobody. Ends the page, with a sentence, for whoever may not see it."""
    way = os.environ.get("LEASC_SIGN_IN", "")
    if not way:
        return None
    name = _by_token() if way == OIDC else _by_header(way)
    if not may_enter(name, os.environ.get("LEASC_USERS", "")):
        _turn_away("This account may not use this server; ask its owner to add it.", sign_out=way == OIDC)
    if st.session_state.setdefault(OWNER, name) != name:
        st.session_state.clear()
        st.session_state[OWNER] = name
    return name


def may_enter(name: str, users: str) -> bool:
    """Whether a name is on the list; an empty list lets nobody in."""
    allowed = [each.strip().lower() for each in users.split(",") if each.strip()]
    return any(name.lower() == each or (each.startswith("@") and name.lower().endswith(each)) for each in allowed)


def is_current(claims, now: float, hours: float) -> bool:
    """Whether somebody signed in at most ``hours`` ago; a token that does not say when it was issued is not good."""
    issued = claims.get("iat")
    return isinstance(issued, (int, float)) and -60 <= now - issued <= 3600 * hours


def _by_token():
    user = st.user
    if not getattr(user, "is_logged_in", False):
        _invite("Sign in to use this server.")
    claims = user.to_dict()
    if not is_current(claims, time.time(), _hours()):
        _invite("Your sign-in has expired; sign in again. What you have made is kept.")
    name = claims.get("email") if claims.get("email_verified", True) is True else None
    if not name:
        _turn_away("This account has no confirmed e-mail address, by which this server knows its users.", sign_out=True)
    return str(name)


def _by_header(header):
    name = _header_of(header)
    if not name:
        _turn_away("This server is reached through its own address only, where you sign in.")
    # The proxy named this person when the page was loaded; a page that stays open is not signed in for ever.
    if time.time() - st.session_state.setdefault(SINCE, time.time()) > 3600 * _hours():
        _turn_away("Your sign-in has expired; load this page again. What you have made is kept.")
    return name


def _header_of(header):
    """What the proxy says; nothing where somebody else has said it too."""
    said = st.context.headers.get_all(header)
    return said[0].strip() if len(said) == 1 else ""


def _hours():
    return float(os.environ.get("LEASC_SIGN_IN_HOURS", HOURS))


def _invite(words):
    st.markdown(words)
    st.button("Sign in", type="primary", icon=":material/login:", key="sign_in", on_click=st.login)
    st.stop()


def _turn_away(words, sign_out=False):
    st.error(words, icon=":material/block:")
    if sign_out:
        st.button("Sign out", icon=":material/logout:", key="sign_out", on_click=st.logout)
    st.stop()
