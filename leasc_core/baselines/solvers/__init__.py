"""Solvers and encoders that only the baselines use; no baseline is declared here."""
