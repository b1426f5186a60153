"""Numbers side by side at the head of a page, each with what it means."""

import streamlit as st


def tiles(*each):
    """``(label, value, meaning)`` side by side."""
    with st.container(key="tiles"):
        for column, (label, value, meaning) in zip(st.columns(len(each)), each, strict=True):
            column.metric(label, value, help=meaning)


def score_tiles(scores, classes):
    """ACC, NMI and ARI as tiles; ``classes`` is what the labels are called."""
    meanings = {
        "acc": ("Accuracy", "ACC: the share of points in the right cluster, at the best matching."),
        "nmi": ("NMI", f"Normalised mutual information: 0 % unrelated to the {classes}, 100 % the same partition."),
        "ari": ("ARI", "Adjusted Rand index: 0 % as good as chance, 100 % the same partition."),
    }
    return [(label, f"{100 * scores[name]:.1f} %", meaning) for name, (label, meaning) in meanings.items()]
