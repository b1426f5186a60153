"""What the autopilot hands over: candidates with their evidence, best first, and one sentence about the pick."""

from dataclasses import asdict, dataclass

from ..drawing.cards import table_card

SHOWN = {
    "n_clusters": "clusters",
    "beta": "β",
    "affinity": "graph",
    "stability": "stability",
    "eigengap": "eigengap",
    "score": "score",
}


@dataclass(frozen=True)
class Evidence:
    """What speaks for a candidate; no label was read.

    Attributes
    ----------
    eigengap : (1 − σ²_{k+1}) / (1 − σ²_k) of the affinity; large where k clusters hang together and k + 1 do not
    stability : adjusted Rand index of the labels of two draws of representatives and landmarks, 1 where they agree
    code_error : ‖Z − f(X)‖ / ‖Z‖ at representatives that f did not see
    separation : mean of 1 − (distance to the own centre) / (to the next one) in the spectral embedding
    coverage : Proposition 1: probability that the representatives hit every cluster
    description : nats a point when encoded as subspaces (:mod:`leasc_core.evidence.description`); fewer are better
    """

    eigengap: float
    stability: float
    code_error: float
    separation: float
    coverage: float
    description: float


@dataclass(frozen=True)
class Candidate:
    """A setting of the method, its evidence, and what the autopilot makes of it (``score`` in [0, 1], 1 is best)."""

    n_clusters: int
    beta: float
    variant: str
    n_representatives: int
    n_landmarks: int
    affinity: str
    evidence: Evidence
    score: float
    seconds: float

    def parameters(self):
        """Keywords for ``LeaSC``."""
        names = ("n_clusters", "beta", "variant", "n_representatives", "n_landmarks", "affinity")
        return {name: getattr(self, name) for name in names} | {"preprocess": "none"}

    def row(self):
        """The same as one flat row of a table."""
        return {**self.parameters(), **asdict(self.evidence), "score": self.score, "seconds": self.seconds}


@dataclass(frozen=True)
class Proposal:
    """All candidates, best first; ``sentence`` explains the first.

    ``seconds`` of the ``budget`` were used on ``searched`` of the points; ``complete`` is False where time, or a listener, ended
    the search before every candidate was judged.
    """

    candidates: tuple[Candidate, ...]
    sentence: str
    budget: float
    seconds: float
    searched: int
    complete: bool

    @property
    def pick(self):
        return self.candidates[0]

    @property
    def runner_up(self):
        """The second best, or None."""
        return self.candidates[1] if len(self.candidates) > 1 else None

    def table(self):
        """One row (a dictionary) a candidate, best first."""
        return [candidate.row() for candidate in self.candidates]

    def _repr_html_(self):
        return table_card(self.sentence, self.table(), SHOWN)
