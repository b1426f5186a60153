"""Learnable subspace clustering: data -> representatives -> codes -> function -> spectral map -> labels.

The public names are loaded on first use, so that importing the package costs nothing.
"""

from importlib import import_module

_HOMES = {
    "make_union_of_subspaces": "leasc_core.data.synthetic",
    "four_rays": "leasc_core.data.synthetic",
    "load_data": "leasc_core.data.reading",
    "list_arrays": "leasc_core.data.reading",
    "open_source": "leasc_core.data.sources",
    "save_data": "leasc_core.data.writers",
    "PreprocessedSource": "leasc_core.data.preprocessing",
    "Preprocessor": "leasc_core.data.preprocessing",
    "make_preset": "leasc_core.data.synthetic.presets",
    "presets": "leasc_core.data.synthetic.presets",
    "DataError": "leasc_core.errors",
    "ParameterError": "leasc_core.errors",
    "BundleError": "leasc_core.errors",
    "scattering_features": "leasc_core.features.scattering",
    "ScatteringFeatures": "leasc_core.features.scattering",
    "RandomSelector": "leasc_core.selectors.random",
    "KMeansSelector": "leasc_core.selectors.kmeans",
    "DS3Selector": "leasc_core.selectors.ds3",
    "choose": "leasc_core.stages.represent",
    "learn": "leasc_core.stages.learn",
    "cluster": "leasc_core.stages.cluster",
    "Coding": "leasc_core.stages.learn",
    "Context": "leasc_core.stages.context",
    "Representatives": "leasc_core.stages.represent",
    "RPCM": "leasc_core.estimators.rpcm",
    "LandmarkSpectralClustering": "leasc_core.estimators.landmark",
    "LeaSC": "leasc_core.estimators.leasc",
    "clustering_accuracy": "leasc_core.metrics",
    "coverage_probability": "leasc_core.theory.coverage",
}
__all__ = sorted(_HOMES)
__version__ = "0.2.0"


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__():
    return __all__
