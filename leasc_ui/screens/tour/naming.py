"""Clusters numbered like the groups they share most points with: colours to compare pictures by, nothing else."""

import numpy as np


def like_truth(labels, truth):
    """``labels`` renumbered; a cluster that matches no group gets a number after theirs. A truth of -1 does not count."""
    from scipy.optimize import linear_sum_assignment

    counted = truth >= 0
    clusters, groups = int(labels.max()) + 1, int(truth.max()) + 1
    shared = np.zeros((clusters, max(clusters, groups)))
    np.add.at(shared, (labels[counted], truth[counted]), 1)
    return linear_sum_assignment(-shared)[1][labels]
