"""Lasso and elastic-net codes, every point by all others: our active set beside celer, skglm, scikit-learn and the ADMM.

`python -m benchmarks.columns` prints processor time a column, how far each ends above the best objective, and the ratio to ours.
The columns are a sample; the ADMM does all at once and is divided. celer and skglm are left out where they are not installed.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np

from leasc_core import bench
from leasc_core.baselines.solvers.active_set import code_rows, nearest_similarities
from leasc_core.coding.solve import solve_codes
from leasc_core.errors import DataError

from .meter import table

ADMM_ITERATIONS = 200


def objective(A, x, c, l1, l2, gamma):
    """l1·‖c‖₁ + ½l2·‖c‖² + ½γ‖x − Ac‖²."""
    return l1 * np.abs(c).sum() + 0.5 * l2 * (c @ c) + 0.5 * gamma * ((x - A @ c) ** 2).sum()


def ours(points, columns, l1, l2, gamma):
    codes = np.zeros((len(columns), len(points)))
    found = code_rows(points, columns, l1, l2, np.full(len(points), gamma))
    for code, (active, values) in zip(codes, found, strict=True):
        code[active] = values
    return codes


def of_scikit_learn(points, columns, l1, l2, gamma):
    from sklearn.linear_model import ElasticNet

    return _columnwise(points, columns, l1, l2, gamma, lambda a, r: ElasticNet(a, l1_ratio=r, fit_intercept=False, tol=1e-4))


def of_celer(points, columns, l1, l2, gamma):
    from celer import ElasticNet, Lasso

    return _columnwise(points, columns, l1, l2, gamma, partial(_either, ElasticNet, Lasso, 1e-4))


def of_skglm(points, columns, l1, l2, gamma):
    from skglm import ElasticNet, Lasso

    # Its tolerance is of the gradient, which is divided by the number of features here: 1e-4 of l1 in our units.
    return _columnwise(points, columns, l1, l2, gamma, partial(_either, ElasticNet, Lasso, 1e-4 / (gamma * points.shape[1])))


def _either(net, lasso, tolerance, a, r):
    return lasso(a, fit_intercept=False, tol=tolerance) if r == 1.0 else net(a, l1_ratio=r, fit_intercept=False, tol=tolerance)


def _columnwise(points, columns, l1, l2, gamma, make):
    """Point by point by an estimator whose objective is ‖x − Ac‖²/2d + a·r‖c‖₁ + ½a(1 − r)‖c‖²."""
    total, codes = (l1 + l2) / (gamma * points.shape[1]), np.zeros((len(columns), len(points)))
    for code, i in zip(codes, columns, strict=True):
        others = np.delete(np.arange(len(points)), i)
        code[others] = make(total, l1 / (l1 + l2)).fit(np.asfortranarray(points[others].T), points[i]).coef_
    return codes


def admm(points, l1, l2, gamma):
    """All columns at once, one weight for all of them, by the solver that gives RPCM its codes; to a gap of 1 %."""
    variant = "l1" if l2 == 0 else "elastic_net"
    problem = {"alpha_bar": l1, "alpha": 0.5 * l2, "beta": 0.5 * gamma, "noise": "f2", "tol": 1e-2, "max_iter": ADMM_ITERATIONS}
    return solve_codes(points.T, variant, zero_diagonal=True, **problem).codes.T


def compare(name, points, l1, l2, gamma, columns):
    """Print one table."""
    ways = {"ours (active set)": ours, "celer": of_celer, "skglm": of_skglm, "scikit-learn": of_scikit_learn}
    seconds, reached = {}, {}
    for way, solve in ways.items():
        try:
            solve(points, columns[:1], l1, l2, gamma)
        except ImportError:
            print(f"{way} is not installed and is left out.")
            continue
        begun = time.process_time()
        codes = solve(points, columns, l1, l2, gamma)
        seconds[way] = (time.process_time() - begun) / len(columns)
        reached[way] = [objective(points.T, points[i], c, l1, l2, gamma) for i, c in zip(columns, codes, strict=True)]
    begun = time.process_time()
    codes = admm(points, l1, l2, gamma)
    seconds["exact ADMM, gap 1 %"] = (time.process_time() - begun) / len(points)
    reached["exact ADMM, gap 1 %"] = [objective(points.T, points[i], codes[i], l1, l2, gamma) for i in columns]
    best = np.min(list(reached.values()), axis=0)
    print(f"{name}: {len(points):,} points of {points.shape[1]} features, {len(columns)} of them coded")
    table(
        ("way", "ms a column", "ours is … times as fast", "objective above the best"),
        [
            (
                way,
                f"{1000 * seconds[way]:.1f}",
                f"{seconds[way] / seconds['ours (active set)']:.1f}",
                f"{np.mean((reached[way] - best) / best):.1e}",
            )
            for way in seconds
        ],
    )


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1500, help="points, drawn at random (the ADMM takes time)")
    parser.add_argument("--columns", type=int, default=100, help="how many of them are coded")
    options = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    for name in ("yaleb", "mnist5k"):
        try:
            X, _ = bench.get(name).points(bench.recipes.data_folder(), 0)
        except DataError as missing:
            print(missing)
            continue
        rng = np.random.default_rng(0)
        X = X[rng.choice(len(X), min(options.points, len(X)), replace=False)].astype(np.float64)
        points = np.ascontiguousarray(X / np.linalg.norm(X, axis=1, keepdims=True))
        columns = rng.choice(len(points), options.columns, replace=False)
        compare(f"{name}, SSC's Lasso", points, 1.0, 0.0, 20.0 / nearest_similarities(points).min(), columns)
        compare(f"{name}, ENSC's elastic net", points, 1.0, 2.0, 20.0, columns)


if __name__ == "__main__":
    main()
