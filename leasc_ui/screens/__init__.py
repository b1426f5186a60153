"""One folder a page: settings, state, compute, view."""
