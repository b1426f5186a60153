"""Charts of the Data page."""
