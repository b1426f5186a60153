"""Choices and the address: links, the browser's back, and an address that lags behind a quick hand."""

from streamlit.testing.v1 import AppTest

from leasc_ui.session import address


def page():
    from dataclasses import dataclass

    import streamlit as st

    from leasc_ui.session.fields import number
    from leasc_ui.session.form import Form

    @dataclass(frozen=True)
    class Choices:
        size: int = number(1, "Size", range(1, 10))
        depth: int = number(1, "Depth", range(1, 10))

    st.text(str(Form("tried", Choices).draw()))
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
    monkeypatch.setattr(address, "_last_move", lambda: 1.0)
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
    assert shown(app) == "(size=3, depth=4)"
    app.query_params["depth"] = "4"  # the address written first has arrived
    assert shown(app.run()) == "(size=3, depth=4)" and app.query_params["depth"] == "4"


def test_a_step_back_that_is_heard_of_in_the_second_run_is_not_undone_by_the_first(monkeypatch):
    app = opened(size="3")
    app.number_input(key="tried_depth").set_value(4).run()
    del app.query_params["depth"]
    assert shown(app.run()) == "(size=3, depth=4)" and "depth" not in app.query_params
    monkeypatch.setattr(address, "_last_move", lambda: 1.0)
    assert shown(app.run()) == "(size=3, depth=1)" and "depth" not in app.query_params


def test_a_link_is_followed_once_in_every_visit_to_the_page():
    app = opened(size="3")
    app.number_input(key="tried_size").set_value(5).run()
    app.session_state[address.PAGE], app.session_state[address.VISIT] = "another page and back", 2
    app.query_params["size"] = "7"
    assert shown(app.run()) == "(size=7, depth=1)"
    app.query_params["size"] = "5"
    assert shown(app.run()) == "(size=7, depth=1)"


def ladder_page():
    from dataclasses import dataclass

    import streamlit as st

    from leasc_ui.session.fields import ladder
    from leasc_ui.session.form import Form

    @dataclass(frozen=True)
    class Choices:
        price: float | None = ladder(None, "Price", (1.0, 2.0, 5.0), usual=lambda settings, facts: 3.0)

    st.text(str(Form("between", Choices).draw()))


def test_a_usual_value_between_the_steps_of_a_ladder_is_one_of_them():
    app = AppTest.from_function(ladder_page).run()
    assert not app.exception and app.select_slider(key="between_price").value == 3.0
    app.select_slider(key="between_price").set_value(5.0).run()
    assert shown(app) == "(price=5.0)"
    app.select_slider(key="between_price").set_value(3.0).run()
    assert shown(app) == "(price=None)"


def hiding_page():
    from dataclasses import dataclass

    import streamlit as st

    from leasc_ui.session.fields import number, switch
    from leasc_ui.session.form import Form

    @dataclass(frozen=True)
    class Choices:
        more: bool = switch(False, "More")
        size: int = number(4, "Size", range(1, 10), when=lambda choices, facts: choices.more)

    st.text(str(Form("hides", Choices).draw()))


def test_a_widget_that_was_hidden_comes_back_as_it_was():
    app = AppTest.from_function(hiding_page).run()
    app.toggle(key="hides_more").set_value(True).run()
    app.number_input(key="hides_size").set_value(7).run()
    app.toggle(key="hides_more").set_value(False).run()
    assert shown(app) == "(more=False, size=7)"
    app.toggle(key="hides_more").set_value(True).run()
    assert shown(app) == "(more=True, size=7)"


def sent(app, key):
    """Whether the server gives the widget a value on top of its default, which would take the place of what is typed there."""
    return app.number_input(key=key).proto.set_value


def test_what_is_chosen_is_never_sent_over_what_somebody_types():
    """A value travels to the browser only when the program has changed it; else it is the default of a widget drawn anew."""
    app = opened(size="3")
    assert not sent(app, "tried_size") and app.number_input(key="tried_size").proto.default == 3
    app.number_input(key="tried_depth").set_value(4).run()
    for _ in range(3):
        app.button(key="go").click().run()
        assert not sent(app, "tried_size") and not sent(app, "tried_depth")
        assert app.number_input(key="tried_depth").proto.default == 4, "what a widget that loads late comes up with"
    app.button(key="tried_undo").click().run()
    assert sent(app, "tried_depth") and shown(app) == "(size=3, depth=1)"
    app.run()
    assert not sent(app, "tried_depth")


def test_undo_reset_and_undo_of_reset():
    app = opened()
    app.number_input(key="tried_size").set_value(5).run()
    app.number_input(key="tried_size").set_value(7).run()
    app.button(key="tried_undo").click().run()
    assert shown(app) == "(size=5, depth=1)"
    app.button(key="tried_reset").click().run()
    assert shown(app) == "(size=1, depth=1)" and not app.query_params
    app.button(key="tried_undo").click().run()
    assert shown(app) == "(size=5, depth=1)" and app.number_input(key="tried_size").value == 5
