"""Charts of the Theory page."""
