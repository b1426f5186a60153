"""What the paper's statements promise for numbers of your own: coverage (Proposition 1)."""
