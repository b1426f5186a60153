"""Rows of a benchmark as a table: means, tests of significance, layouts."""
