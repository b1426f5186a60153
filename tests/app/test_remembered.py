"""Choices and the address: links, the browser's back, and an address that lags behind a quick hand."""

from streamlit.testing.v1 import AppTest

from leasc_ui import address


def page():
    from dataclasses import dataclass

    import streamlit as st

    from leasc_ui.remembered import Remembered

    @dataclass(frozen=True)
    class Choices:
        size: int = 1
        depth: int = 1

    form = Remembered("tried", Choices, {"size": range(1, 10), "depth": range(1, 10)})

    def widgets():
        st.number_input("Size", 1, 9, key=form.key("size"))
        st.number_input("Depth", 1, 9, key=form.key("depth"))

    st.text(str(form.draw(widgets)))
    st.button("Go", key="go")


def opened(**parameters):
    app = AppTest.from_function(page)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def shown(app):
    assert not app.exception
    return app.text[0].value.split("Choices")[1]


def test_a_link_is_followed_and_choices_are_written():
    app = opened(size="3")
    assert shown(app) == "(size=3, depth=1)"
    app.number_input(key="tried_depth").set_value(4).run()
    assert shown(app) == "(size=3, depth=4)" and app.query_params["depth"] == "4"


def test_back_in_the_browser_brings_the_choices_back(monkeypatch):
    app = opened(size="3")
    app.number_input(key="tried_depth").set_value(4).run()
    del app.query_params["depth"]
    monkeypatch.setattr(address, "_through_history", lambda: True)
    assert shown(app.run()) == "(size=3, depth=1)"


def test_a_second_choice_in_one_breath_is_not_lost_to_the_address_before_the_first():
    app = opened(size="3")
    app.number_input(key="tried_depth").set_value(4).run()
    del app.query_params["depth"]  # what a browser sends along that has not heard of the first choice yet
    app.number_input(key="tried_size").set_value(5).run()
    assert shown(app) == "(size=5, depth=4)" and app.query_params["depth"] == "4" and app.query_params["size"] == "5"


def test_a_click_that_follows_a_choice_at_once_does_not_undo_it():
    app = opened(size="3")
    app.number_input(key="tried_depth").set_value(4).run()
    del app.query_params["depth"]
    app.button(key="go").click().run()
    assert shown(app) == "(size=3, depth=4)" and app.query_params["depth"] == "4"


def test_a_link_is_followed_once_in_every_visit_to_the_page():
    app = opened(size="3")
    app.number_input(key="tried_size").set_value(5).run()
    app.session_state[address.PAGE], app.session_state[address.VISIT] = "another page and back", 2
    app.query_params["size"] = "7"
    assert shown(app.run()) == "(size=7, depth=1)"
    app.query_params["size"] = "5"
    assert shown(app.run()) == "(size=7, depth=1)"


def hiding_page():
    from dataclasses import dataclass

    import streamlit as st

    from leasc_ui.remembered import Remembered

    @dataclass(frozen=True)
    class Choices:
        more: bool = False
        size: int = 4

    form = Remembered("hides", Choices, {"more": (False, True), "size": range(1, 10)})

    def widgets():
        st.toggle("More", key=form.key("more"))
        if st.session_state[form.key("more")]:
            st.number_input("Size", 1, 9, key=form.key("size"))

    st.text(str(form.draw(widgets)))


def test_a_widget_that_was_hidden_comes_back_as_it_was():
    app = AppTest.from_function(hiding_page).run()
    app.toggle(key="hides_more").set_value(True).run()
    app.number_input(key="hides_size").set_value(7).run()
    app.toggle(key="hides_more").set_value(False).run()
    assert shown(app) == "(more=False, size=7)"
    app.toggle(key="hides_more").set_value(True).run()
    assert shown(app) == "(more=True, size=7)"
