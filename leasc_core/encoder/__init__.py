"""The learned function f: from a point to its code, in linear time (Eq. 6)."""
