"""The end of a run, told in a few lines: clusters, sizes, scores, seconds and where the files are."""

import sys

from ..evidence.count import FOUND_BY
from .progress import took
from .terminal import pairs, plain, sparkline, styled

MOST_BARS = 60


def tell_outcome(summary, files, labels_out=None):
    """Print what came of the run in ``files``."""
    how = FOUND_BY[summary.get("counted_by")]
    headline = f"{summary['n_clusters']:,} clusters"
    print(f"\n{styled(headline, 'bold', sys.stdout)} in {summary['points']:,} points, {how}, in {took(summary['seconds'])}")
    rows = [("sizes", sizes_in_words(summary["sizes"]))]
    bars = sparkline(summary["sizes"])
    if len(set(bars)) > 1 and len(bars) <= MOST_BARS:
        rows.append(("", bars))
    if summary.get("scores"):
        rows.append(("scores", scores_in_words(summary["scores"]) + "  (by the known labels, used for nothing else)"))
    if summary.get("confidence") is not None:
        kept = f"; {summary['kept']:.1%} of the labels are certain, the others are -1" if "kept" in summary else ""
        rows.append(("confidence", f"{summary['confidence']:.3f} in the mean: what independent draws would agree on{kept}"))
    rows += [
        ("labels", f"{files.labels_file}" + (f" and {labels_out}" if labels_out else "")),
        ("model", f"{files.model_file}  (python -m leasc_core predict {plain(files.path)} new.csv -o labels.csv)"),
        ("report", f"{files.report_file}"),
    ]
    pairs(rows)


def sizes_in_words(sizes):
    """All sizes where they are few, else the range."""
    ordered = sorted(sizes, reverse=True)
    if len(ordered) <= 12:
        return ", ".join(f"{size:,}" for size in ordered)
    return f"{ordered[-1]:,} to {ordered[0]:,}, median {ordered[len(ordered) // 2]:,}"


def scores_in_words(scores):
    """ACC 0.981 · NMI 0.948 · ARI 0.960."""
    return " · ".join(f"{name.upper()} {value:.3f}" for name, value in scores.items())
