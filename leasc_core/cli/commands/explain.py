"""``explain``: why a point is where it is, and what a cluster is made of."""

import json
import sys

from ..progress import Silent, Told
from ..reading import add_reading_arguments, existing, open_data, reading_options
from ..terminal import pairs, styled

USAGE = "MODEL DATA (--row N | --cluster N) [options]"
DESCRIPTION = """\
Say who writes a point and with what weight, what stays unwritten, and how far it is from the next cluster; or of a cluster its
dimension, the features that set it apart, its most typical rows, and what it is confused with. Up to 3,000 rows are looked at."""
EPILOG = """\
examples:
  explain out/ digits.npz --row 17 --row 204         a run's folder, and the file it was made from (rows count from 0)
  explain out/model.leasc new.csv --cluster 3 --json"""
FEW = 8


def add_arguments(parser):
    """The command's options."""
    parser.add_argument("model", help="a .leasc file, or the folder of a finished run")
    parser.add_argument("data", help="the file with the points: the same features in the same order")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--row", type=int, action="append", metavar="N", help="a row of the file, counted from 0; may be repeated")
    what.add_argument("--cluster", type=int, action="append", metavar="N", help="a cluster, as labels count; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON list on stdout, nothing else")
    add_reading_arguments(parser)


def run(options):
    """Look and tell; returns the exit code."""
    from ...estimators.leasc import LeaSC
    from ...explain.looking import Look

    path = existing(options.model)
    with Silent() if options.json else Told() as progress:
        model = LeaSC.load(path / "model.leasc" if path.is_dir() else path)
        source = open_data(options.data, reading_options(options), progress)
        look = Look(model, source, options.row or ())
        told = [look.point(row) for row in options.row] if options.row else [look.cluster(each) for each in options.cluster]
    if options.json:
        print(json.dumps(told))
        return 0
    for facts in told:
        (_tell_point if options.row else _tell_cluster)(facts)
    return 0


def _tell_point(facts):
    name = styled(f"row {facts['row']:,}", "bold", sys.stdout)
    print(f"{name} is in cluster {facts['cluster']}")
    beside = "" if facts["next_cluster"] is None else f", then cluster {facts['next_cluster']}"
    odd = "far more than usual: perhaps an outlier" if facts["outlier"] else "nothing unusual"
    pairs(
        [
            ("margin", f"{facts['margin']:.2f} (0 is the border, 1 the centre){beside}"),
            ("own cluster", f"gives {facts['written_by_own_cluster']:.0%} of the weights that write it"),
            ("unwritten", f"{facts['unwritten']:.0%} of its length, {odd} (outlier score {facts['outlier_score']:.1f})"),
            *(
                (f"row {each['row']:,}", f"weight {each['weight']:+.3f}, cluster {each['cluster']}")
                for each in facts["written_by"]
            ),
            ("doubtful nearby", ", ".join(f"{row:,}" for row in facts["doubtful_neighbours"]) or "none"),
        ]
    )


def _tell_cluster(facts):
    name, rival = styled(f"cluster {facts['cluster']}", "bold", sys.stdout), facts["confused_with"]
    print(f"{name}, {facts['points_seen']:,} of its points seen")
    lean = "" if rival is None else f"; {facts['confused_share']:.0%} of them lean to cluster {rival}"
    pairs(
        [
            ("dimension", f"{facts['dimension']}, holding {sum(facts['energy_in_basis']):.0%} of the energy"),
            (
                "features",
                ", ".join(
                    f"{each['feature']} ({each['share_here']:.1%}, elsewhere {each['share_elsewhere']:.1%})"
                    for each in facts["features"][:FEW]
                ),
            ),
            ("typical rows", ", ".join(f"{row:,}" for row in facts["typical_rows"])),
            ("doubtful", f"{facts['doubtful_share']:.1%} of its points{lean}"),
        ]
    )
