"""Pictures as pure functions: arrays in, a ``Chart`` (Vega-Lite specification and its data) out."""
