"""The page of the 800-point example."""
