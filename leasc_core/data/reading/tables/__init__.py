"""Formats that hold columns, and the choice of features and labels among them."""
