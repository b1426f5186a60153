"""What is kept on disk: files written whole, tables row by row, checkpoints of a run, bundles of a model."""
