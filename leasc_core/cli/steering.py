"""``cluster --auto``: the autopilot chooses what was not given, and says why."""

import sys

from ..errors import ParameterError
from .parameters import preprocess_settings
from .terminal import plain, styled

BUDGET = 60.0
SHOWN = 5


def check_steering(options):
    """Refuse options that need one another, before anything is read."""
    if options.budget is not None and not options.auto:
        raise ParameterError(f"--budget {options.budget:g} is the autopilot's time; add --auto, or leave it out.")
    if options.certain is not None and not 0 <= options.certain <= 1:
        raise ParameterError(f"--certain {options.certain:g} is no share of certainty; give 0 to 1, as in 0.9.")
    if options.certain is not None and not options.labels_out:
        raise ParameterError(f"--certain {options.certain:g} marks labels in a file; name it with --labels-out.")


def steered(options, source, parameters, progress, stopping):
    """``(parameters, proposal)``: what was given stays, the autopilot's pick fills in the rest."""
    from ..autopilot import propose
    from ..data.preprocessing import Preprocessor

    def told(event):
        progress(event)
        return stopping.asked is not None

    wanted, cleaning = options.budget or BUDGET, preprocess_settings(options)
    if not (options.quiet or options.json):
        print(f"the autopilot may search for {wanted:g} s; the run itself comes after that", file=sys.stderr)
    proposal = propose(
        source,
        budget=wanted,
        n_clusters=parameters.get("n_clusters"),
        on_event=told,
        preprocess=Preprocessor(**cleaning) if cleaning else None,
        random_state=parameters.get("random_state", 0),
    )
    stopping.refuse_if_asked()
    progress.say("Proposed", sentence=proposal.sentence, table=proposal.table(), seconds=proposal.seconds)
    if not (options.quiet or options.json):
        _tell(proposal)
    return {**proposal.pick.parameters(), **parameters}, proposal


def _tell(proposal):
    """The first candidates as a table, and the sentence."""
    print("     k       β  affinity   agreement  eigengap  code error  separation  coverage    nats", file=sys.stderr)
    for at, c in enumerate(proposal.candidates[:SHOWN]):
        e = c.evidence
        line = (
            f"{c.n_clusters:6d} {c.beta:7g}  {c.affinity:<9} {e.stability:10.3f} {e.eigengap:9.2f} {e.code_error:11.3f} "
            f"{e.separation:11.3f} {e.coverage:9.3f} {e.description:7.2f}"
        )
        print(styled(line, "bold", sys.stderr) if at == 0 else line, file=sys.stderr)
    print(f"{plain(proposal.sentence)}\n", file=sys.stderr)
