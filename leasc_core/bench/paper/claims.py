"""What the paper claims of speed and accuracy, measured on the rows at hand; whichever way it falls."""

# Coding by f against the classical solver of the same norm (Table IV); the paper claims at least 50 times on Yale B.
PAIRS = {"rpcm_f2": "lsr", "rpcm_l1": "ssc", "rpcm_nuclear": "lrr", "rpcm_elastic_net": "ensc"}
CODING_CLAIM, CLASSIFY_CLAIM = 50.0, 3.0
CLASSIFY = ("slsr", "slrr", "sssc", "selssc", "sellrr")
LANDMARKS = ("lbsc_k", "lbsc_r")


def claims_of(name, lines):
    """One sentence a claim that the rows can judge; ``lines`` is a table's summary."""
    known = {line["method"]: line for line in lines if line["seeds"] and "processor" in line}
    if name in ("yaleb", "ar"):
        return [_coding(known[ours], known[theirs]) for ours, theirs in PAIRS.items() if {ours, theirs} <= known.keys()]
    if name.startswith(("mnist", "norb", "youtube")) and "leasc_f2" in known:
        leasc = known["leasc_f2"]
        slower = [_classifying(leasc, known[other]) for other in CLASSIFY if other in known]
        return slower + [_landmarks(leasc, known[other]) for other in LANDMARKS if other in known]
    return []


def _coding(ours, theirs):
    ratio = theirs["processor_stages"]["coding"] / max(ours["processor_stages"]["coding"], 1e-9)
    claim = f"coding by f ({ours['label'].split(',')[0]}) is {_times(ratio)} as fast as {theirs['label']}"
    return _verdict(claim, ratio >= CODING_CLAIM, f"at least {CODING_CLAIM:g}×")


def _classifying(leasc, other):
    ratio = other["processor"] / max(leasc["processor"], 1e-9)
    claim = f"{leasc['label']} is {_times(ratio)} as fast as {other['label']}, all stages"
    return _verdict(claim, ratio >= CLASSIFY_CLAIM, f"at least {CLASSIFY_CLAIM:g}×")


def _landmarks(leasc, other):
    ahead = 100 * (leasc["acc"] - other["acc"])
    return _verdict(f"{leasc['label']} is {ahead:+.1f} points of ACC from {other['label']}", ahead > 0, "above it")


def _times(ratio):
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def _verdict(claim, holds, wanted):
    return f"{'holds' if holds else 'DOES NOT HOLD'}: {claim} (the paper: {wanted})."
