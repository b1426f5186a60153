"""Formats that hold series of measurements."""
