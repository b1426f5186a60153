"""The Representatives page."""
