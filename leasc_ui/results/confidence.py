"""How sure labels are, as numbers and in steps. No Streamlit in here."""

import numpy as np

# The lower ends of the steps in which a map shows confidence, and their names, from doubtful to certain.
ENDS = (0.5, 0.8, 0.95)
STEPS = ("under 50 % sure", "50 to 80 %", "80 to 95 %", "95 % and more")


def steps_of(confidence):
    """The step of each point, counted from 0."""
    return np.digitize(confidence, ENDS)


def kept_by(confidence, labels, threshold, count):
    """``(mask, share kept, share kept of each cluster)`` of the labels that are at least so sure."""
    mask = np.asarray(confidence) >= threshold
    sizes = np.bincount(labels, minlength=count)
    return mask, float(mask.mean()) if len(mask) else 0.0, np.bincount(labels[mask], minlength=count) / np.maximum(sizes, 1)
