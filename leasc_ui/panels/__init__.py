"""Panels that several pages show: explanation, diagnosis, confidence, autopilot."""
