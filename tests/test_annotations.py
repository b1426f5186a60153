"""What others may rely on says its types: every public function and method of the names that `leasc_core` gives."""

import inspect

import pytest

import leasc_core
from leasc_core import baselines

PUBLIC = {name: getattr(leasc_core, name) for name in leasc_core.__all__} | {
    "baselines.get": baselines.get,
    "baselines.names": baselines.names,
    "baselines.Baseline": baselines.Baseline,
}


def callables(thing):
    """The thing itself, or the public methods and properties that a class of ours declares, with its constructor."""
    if not inspect.isclass(thing):
        return [thing]
    ours = [kind for kind in thing.__mro__ if kind.__module__.startswith("leasc_core")]
    found = [getattr(each, "__func__", getattr(each, "fget", each)) for kind in ours for each in vars(kind).values()]
    named = [each for each in found if inspect.isfunction(each) and (each.__name__ == "__init__" or each.__name__[0] != "_")]
    return [each for each in named if inspect.getsourcefile(each)]


def missing(function):
    """The parameters without a type, and "return" where that has none; a constructor returns nothing."""
    signature = inspect.signature(function)
    silent = [each.name for each in signature.parameters.values() if each.annotation is each.empty]
    returns = function.__name__ == "__init__" or signature.return_annotation is not signature.empty
    return [name for name in silent if name not in ("self", "cls")] + ([] if returns else ["return"])


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_is_annotated(name):
    assert {each.__qualname__: missing(each) for each in callables(PUBLIC[name]) if missing(each)} == {}


def test_what_is_missing_is_seen():
    def bare(self, first, *, second: int = 0):
        pass

    assert missing(bare) == ["first", "return"]
