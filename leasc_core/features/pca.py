"""Streaming PCA as a feature map; it is also a step of preprocessing, which is where it lives."""

from leasc_core.data.preprocessing.principal import StreamingPCA

__all__ = ["StreamingPCA"]
