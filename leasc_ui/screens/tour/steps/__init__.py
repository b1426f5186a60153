"""The steps of the tour, one a file."""
