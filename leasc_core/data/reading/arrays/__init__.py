"""Formats that hold arrays with a shape: NumPy, MATLAB, HDF5, IDX."""
