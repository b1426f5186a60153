"""The tour: the method on four lines, one idea a screen. One module a step; ``registry`` names them in their order."""
