"""Formats that hold pictures."""
