"""The three estimators are scikit-learn citizens: every check passes, none is expected to fail."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from leasc_core import RPCM, LandmarkSpectralClustering, LeaSC


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [RPCM(), LandmarkSpectralClustering(), LeaSC()], ids=lambda e: type(e).__name__)
def test_check_estimator(estimator):
    results = check_estimator(estimator, on_skip=None)
    failed = [r["check_name"] for r in results if r["status"] in ("failed", "xfail")]
    assert not failed
    assert len(results) > 40


def test_pipeline_and_clone():
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from leasc_core import make_union_of_subspaces

    X, _ = make_union_of_subspaces(n_per_subspace=30)
    model = make_pipeline(StandardScaler(), LeaSC(4, hidden=(40,), epochs=0, random_state=0))
    first, second = clone(model).fit_predict(X), clone(model).fit_predict(X)
    assert first.shape == (120,) and (first == second).all()
