"""Benchmarks: one command each, side by side with peers in the same run."""
