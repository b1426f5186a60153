"""Cleaning and scaling that is learned once, recorded, and repeated on new rows."""

from leasc_core.data.preprocessing.preprocessor import Preprocessor
from leasc_core.data.preprocessing.principal import StreamingPCA
from leasc_core.data.preprocessing.source import PreprocessedSource

__all__ = ["PreprocessedSource", "Preprocessor", "StreamingPCA"]
