"""The Cluster page and Label new data."""
