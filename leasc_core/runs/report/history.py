"""What a run's events say about its course: seconds of each stage, over all sittings, and how solvers converged."""

SITTINGS = ("Started", "Resumed")


def sessions(events):
    """How many times the run was begun or resumed."""
    return sum(event["event"] in SITTINGS for event in events)


def stage_seconds(events):
    """Seconds of each stage, in order; a stage that a kill broke off counts until its last word."""
    seconds, open_stage, begun, last = {}, None, 0.0, 0.0

    def close():
        if open_stage is not None:
            seconds[open_stage] = seconds.get(open_stage, 0.0) + max(0.0, last - begun)

    for event in events:
        kind = event["event"]
        if kind in SITTINGS:
            close()
            open_stage = None
        elif kind == "StageStarted":
            open_stage, begun = event["stage"], event["time"]
            seconds.setdefault(open_stage, 0.0)
        elif kind == "StageFinished":
            seconds[event["stage"]] = seconds.get(event["stage"], 0.0) + event["seconds"]
            open_stage = None
        last = event["time"]
    return seconds


def coding_history(events):
    """The iterations of the coding solver that the run ended with."""
    return _last_of(events, "CodingIteration", "iteration")


def network_history(events):
    """The epochs of the network that the run ended with."""
    return _last_of(events, "NetworkEpoch", "epoch")


def _last_of(events, kind, counter):
    kept = []
    for event in events:
        if event["event"] == kind:
            if kept and event[counter] <= kept[-1][counter]:
                kept = []
            kept.append(event)
    return kept
