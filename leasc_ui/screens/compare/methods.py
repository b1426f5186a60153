"""The methods to choose from: by family, with what they cost and the sizes they refuse. No Streamlit in here."""

import pandas as pd

from leasc_core import baselines

# A fast one of each family: seconds on a few thousand points.
USUAL = ("leasc", "leasc_f2", "latlrr", "lsr", "slsr", "lbsc_k", "kmeans")
SEPARATOR = "."


def families():
    """``{title: [baselines]}`` in the order of the registry."""
    return {title: [baselines.get(name) for name in baselines.names(family)] for family, title in baselines.FAMILIES.items()}


def usual_methods(points):
    """A fast method of each family, where it takes so many points."""
    return [name for name in USUAL if takes(name, points)]


def takes(name, points):
    """Whether a method can finish so many points."""
    largest = baselines.get(name).largest
    return largest is None or points <= largest


def to_text(names):
    """Methods as they stand in the address, in the order of the registry."""
    return SEPARATOR.join(name for name in baselines.names() if name in set(names))


def from_text(text):
    """The known methods of a text."""
    return [name for name in baselines.names() if name in str(text).split(SEPARATOR)]


def plan_frame(names, points):
    """What will run: a line a method, with its cost and what it can finish."""
    chosen = [baselines.get(name) for name in names]
    return pd.DataFrame(
        {
            "method": [each.label for each in chosen],
            "finishes": [_finishes(each, points) for each in chosen],
            "cost, m points of d features": [each.cost for each in chosen],
            "what it does": [each.blurb for each in chosen],
        }
    )


def help_of(family):
    """A line a method, for the question mark beside a family."""
    lines = (f"**{each.label}** {each.blurb} Cost: {each.cost}; {_limit(each)}." for each in family)
    return "\n\n".join(lines)


def _finishes(method, points):
    if method.largest is None:
        return "any size"
    return f"up to {method.largest:,}" if points <= method.largest else f"refuses: up to {method.largest:,}"


def _limit(method):
    return "any size" if method.largest is None else f"at most {method.largest:,} points"
