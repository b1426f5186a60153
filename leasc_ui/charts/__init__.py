"""Pictures as pure functions: arrays and a palette in, a ``Chart`` (Vega-Lite specification and its data) out."""
