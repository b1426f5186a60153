"""Columns and what they are for: roles and how they are guessed, values that go along with the rows, matching by name."""
