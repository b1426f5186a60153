"""How quick the app feels: `python -m benchmarks.app`."""
