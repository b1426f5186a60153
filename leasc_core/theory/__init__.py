"""What the paper proves, for numbers of your own: Proposition 1, Definition 1, Theorem 1, Table II, and angles of subspaces."""
