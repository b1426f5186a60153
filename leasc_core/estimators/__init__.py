"""The scikit-learn faces: short, they only check what comes in and wire the rooms together."""
