"""Runs: a clustering as a folder, which can be stopped, killed and resumed, and says what it did."""
