"""The pick in one sentence."""

WHY = {
    "description": "two draws of representatives, each on its own, tell the points in the fewest nats as these subspaces",
    "eigengap": "the spectrum of both draws has a wide gap behind that number",
    "none": "re-drawn samples agree no better than in one shapeless cloud, so no clusters were found",
    "agreement": "that is the number at which draws of representatives have most in common",
}


def explain(candidates, count):
    """Why the first candidate stands first; ``count`` is None where the number of clusters was given."""
    pick = candidates[0]
    why = "as many as were asked for" if count is None else WHY[count.how]
    held = f"agree to {pick.evidence.stability:.2f} (adjusted Rand index)"
    said = f"{pick.n_clusters} clusters, {why}; with β = {pick.beta:g} two draws {held}"
    second = next((each for each in candidates if each.n_clusters != pick.n_clusters), None)
    if second is None:
        return said + "."
    return f"{said}, and with {second.n_clusters} clusters, the next best number, to {second.evidence.stability:.2f}."
