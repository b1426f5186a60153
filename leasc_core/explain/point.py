"""A point explained: the representatives that write it, what they leave (its noise E), and whether that is unusual."""

from dataclasses import dataclass, field

import numpy as np

from ..diagnosis.oddities import SPREADS, outlier_scores


@dataclass(frozen=True, eq=False)
class PointExplanation:
    """x = Σ wⱼ xⱼ + E, with f's weights.

    Attributes
    ----------
    helpers : positions among the representatives, the largest weight first
    weights : their weights wⱼ
    shares : |wⱼ| as shares of the sum over all representatives
    written : Σ wⱼ xⱼ over *all* representatives
    error : E = x − written
    error_share : ‖E‖ / ‖x‖
    outlier_score : usual spreads by which the error share lies above the usual one; an outlier above 5
    by_cluster : the share of all weight that comes from representatives of each cluster
    """

    helpers: np.ndarray
    weights: np.ndarray
    shares: np.ndarray
    written: np.ndarray = field(repr=False)
    error: np.ndarray = field(repr=False)
    error_share: float = 0.0
    outlier_score: float = 0.0
    by_cluster: np.ndarray | None = field(default=None, repr=False)

    @property
    def is_outlier(self):
        return self.outlier_score > SPREADS


def error_shares(points, codes, representatives):
    """‖x − Σ wⱼxⱼ‖ / ‖x‖ of each row."""
    lengths = np.linalg.norm(points, axis=1)
    return np.linalg.norm(points - codes @ representatives, axis=1) / np.where(lengths > 0, lengths, 1.0)


def explain_point(point, code, representatives, representative_labels, usual_errors, most=8):
    """Who writes a point.

    Parameters
    ----------
    point : (d,) as f sees it (of length one where the model asks for that)
    code : (n,) f's weights
    representatives : (n, d) rows
    representative_labels : (n,) their clusters
    usual_errors : error shares of other points, to compare with
    """
    sizes = np.abs(code)
    whole = max(float(sizes.sum()), np.finfo(float).tiny)
    order = np.argsort(-sizes, kind="stable")[:most]
    written = code @ representatives
    share = float(error_shares(point[None], code[None], representatives)[0])
    score = float(outlier_scores(np.append(usual_errors, share))[-1])
    by_cluster = np.bincount(representative_labels, weights=sizes, minlength=int(np.max(representative_labels)) + 1) / whole
    return PointExplanation(order, code[order], sizes[order] / whole, written, point - written, share, score, by_cluster)
