"""Why the result is what it is: what the data were recognised as, what was taken, and the table of evidence."""

import pandas as pd
import streamlit as st

from leasc_ui.screens.cluster.choices import GRAPHS, PREPARATIONS

KINDS = {
    "pictures": "pictures",
    "tracks": "tracks of moving points",
    "counts": "counts",
    "table": "a table of mixed units",
    "plain": "plain points",
    "cube": "an image with many channels",
    "series": "series over time",
    "embeddings": "embeddings",
}


def show_choice(results):
    """One line that says what was recognised and taken; the reasons and the evidence when it is opened."""
    choice = results.choice
    if choice is None:
        return
    preparation, graph = preparation_words(choice.preparation), graph_words(choice.graph)
    with st.expander(
        f"Recognised as **{KINDS.get(choice.kind.name, choice.kind.name)}**. Preparation: {preparation}. Graph: {graph}.",
        icon=":material/fact_check:",
        key="why_this",
    ):
        st.markdown(choice.kind.why)
        if not choice.evidence:
            st.markdown("There was one way to take for data like these, so nothing had to be judged.")
        else:
            _show_table(choice)
        if preparation_used := getattr(results.model, "preparation_", None):
            st.markdown(f":material/cleaning_services: {preparation_used.describe()}")
        st.caption("Another preparation or graph: **How they are found**, in the settings.")


def preparation_words(name):
    """A preparation in a few words."""
    return "none" if name == "none" else PREPARATIONS.get(name, name).split(":")[0].lower()


def graph_words(name):
    """A graph in a few words."""
    return GRAPHS[name].label.lower() if name in GRAPHS else name.replace("_", " ")


def _show_table(choice):
    st.markdown(
        "Each candidate clustered a sample of the points and a part of it drawn anew. The more two labelings of a candidate say "
        "of each other, the more it sees what is there and not what chance put there; those far behind were drawn only once. "
        "No label was read."
    )
    taken = [(each.preparation, each.graph) == (choice.preparation, choice.graph) for each in choice.evidence]
    frame = pd.DataFrame(
        {
            "": ["taken" if each else "" for each in taken],
            "preparation": [preparation_words(each.preparation) for each in choice.evidence],
            "graph": [graph_words(each.graph) for each in choice.evidence],
            "said again": [100 * each.score for each in choice.evidence],
            "agreement": [100 * each.agreement for each in choice.evidence],
            "±": [100 * each.spread for each in choice.evidence],
            "seconds": [each.seconds for each in choice.evidence],
        }
    )
    columns = {
        "said again": st.column_config.ProgressColumn(
            "said again",
            format="%.0f %%",
            min_value=0,
            max_value=100,
            help="Information that two labelings share; 100 %: all that as many even clusters can tell. The largest is taken.",
        ),
        "agreement": st.column_config.NumberColumn("agreement", format="%.0f %%", help="Adjusted Rand index; 100 %: the same."),
        "±": st.column_config.NumberColumn("±", format="%.0f %%", help="How much it differs from draw to draw."),
        "seconds": st.column_config.NumberColumn("seconds", format="%.1f"),
    }
    st.dataframe(frame, hide_index=True, column_config=columns, key="choice_table", height="content")
