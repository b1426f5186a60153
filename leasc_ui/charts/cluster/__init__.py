"""Charts of the Cluster page."""
