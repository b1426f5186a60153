"""The errors a user may see: each message says what is wrong, where, and what to do."""


class LeascError(ValueError):
    """Base of every error raised on purpose by this package."""


class DataError(LeascError):
    """The data cannot be used as they are; the message says what, where and what to do."""


class ParameterError(LeascError):
    """A parameter is outside its limits; the message names the value, the limit and the remedy."""


class BundleError(LeascError):
    """A saved model cannot be trusted or read; the message says why."""


class RunError(LeascError):
    """A run cannot go on, or cannot begin; the message says why, what is kept, and how to resume."""
