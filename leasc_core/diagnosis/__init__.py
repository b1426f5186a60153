"""Is this subspace data? Small checks, each a number beside what chance would give, and a verdict in plain words."""
