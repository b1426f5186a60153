"""From codes to clusters: the affinity, its spectrum, K-means, and a map that places new points too."""
