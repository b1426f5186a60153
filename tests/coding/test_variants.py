"""The table of variants: what follows from an entry."""

import dataclasses

import numpy as np
import pytest

from leasc_core import RPCM, LeaSC, ParameterError, make_union_of_subspaces
from leasc_core.coding import variants
from leasc_core.coding.problem import NOISES
from leasc_core.penalties import SquaredFrobenius


@pytest.mark.parametrize("variant", variants.VARIANTS.values(), ids=lambda each: each.name)
def test_an_entry_is_whole(variant):
    assert variant.noise in NOISES and variant.beta > 0 and variant.iterations >= 1
    assert all((variant.short, variant.label, variant.title, variant.codes, variant.sentence))
    Z = np.array([[0.5, -2.0], [0.0, 1.0]])
    squares = SquaredFrobenius().value(Z)
    added = variant.penalty(2.0, 3.0).value(Z) - variant.first(2.0).value(Z)
    assert added == pytest.approx(3.0 * squares if variant.uses_alpha else 0.0)


def test_another_entry_is_a_variant_of_the_estimators(monkeypatch):
    """Only the table changes; codes, f and labels follow."""
    softer = dataclasses.replace(variants.VARIANTS["f2"], name="softer", noise="l21", beta=5.0)
    monkeypatch.setitem(variants.VARIANTS, "softer", softer)
    from leasc_core.estimators import leasc, limits, rpcm

    for limit in (leasc.LIMITS, rpcm.CODING_LIMITS):
        monkeypatch.setitem(limit, "variant", limits.Choice(tuple(variants.VARIANTS)))
    X, _ = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=12, n_per_subspace=40, random_state=0)
    same = RPCM("f2", noise="l21", beta=5.0, hidden=(20,), random_state=0).fit(X)
    assert np.array_equal(RPCM("softer", hidden=(20,), random_state=0).fit(X).codes_, same.codes_)
    assert len(LeaSC(3, "softer", hidden=(20,), random_state=0).fit(X).labels_) == len(X)


def test_an_unknown_variant_is_refused():
    with pytest.raises(ParameterError, match="'f2', 'l1', 'nuclear', 'elastic_net'"):
        RPCM("l0").fit(np.eye(4))
