"""A visitor to a page, as Streamlit's own tester opens it: what lies in their session, the address, and that nothing broke."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from leasc_ui.session.state import Session

HOME = Path(__file__).parents[2] / "app.py"


def visit(page, patience, data=None, /, *, chosen=None, session=None, secret=None, **address):
    """The page with this data and these representatives (or this whole session), opened by a link with these parameters."""
    app = AppTest.from_file(HOME, default_timeout=patience)
    if session is None:
        session = Session()
        session.pipeline.data, session.pipeline.representatives = data, chosen
    app.session_state["session"] = session
    if secret:
        app.session_state["visitor_secret"] = secret
    app.switch_page(page)
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def pipeline(app):
    return app.session_state["session"].pipeline


def sound(app):
    """The app, if it shows neither a traceback nor an error."""
    assert not app.exception and not app.error, [each.value for each in (*app.exception, *app.error)]
    return app


def address(app):
    """The query parameters; AppTest gives what the script wrote as text and what the test wrote as a list."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def words(app):
    """All text of a page, for a search."""
    kinds = (app.markdown, app.caption, app.subheader, app.info, app.title)
    return " ".join(element.value for kind in kinds for element in kind)


# What a link may say instead of a choice.
NUMBERS = ("9" * 5000, "-" + "9" * 5000, "1e999", "nan", "²")
HOSTILE = (*NUMBERS, "[" * 100_000, "\ud800", "a\0b", "{}", ",", "1,2,3", "__class__", "a" * 10**6)
