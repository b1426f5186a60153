"""The pick in one sentence."""


def explain(candidates):
    """Why the first candidate stands first."""
    pick, others = candidates[0], candidates[1:]
    said = (
        f"{pick.n_clusters} clusters with β = {pick.beta:g}: two draws of representatives agree to "
        f"{pick.evidence.stability:.2f}, and no other number tells the points in fewer nats"
    )
    second = next((each for each in others if each.n_clusters != pick.n_clusters), None)
    if second is not None:
        said += f"; next comes {second.n_clusters} (agreement {second.evidence.stability:.2f})"
    return said + "."
