"""Codes of the representatives: the convex part of RPCM (Eq. 8), solved and certified.

Everything here uses the paper's columns: X is (d, n), Z is (n, n), X = XZ + E. The estimators turn rows into columns.
"""
