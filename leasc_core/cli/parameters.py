"""The method's parameters on the command line, and from there to ``LeaSC`` and its ``Preprocessor``."""

import argparse
import json
import re

from ..coding.variants import VARIANTS
from ..errors import ParameterError
from ..prepare.preparation import NAMES
from ..runs.report.recipe import FLAGS, PREPROCESS_FLAGS
from ..selectors import SELECTORS
from ..spectral.kept import KEPT_GRAPHS

GRAPHS = ("auto", "landmarks", "codes", *KEPT_GRAPHS)
UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


def size(text):
    """Bytes of ``2GB``, ``500M``, ``1.5GiB`` or a plain number."""
    match = re.fullmatch(r"([0-9.]+(?:e[0-9]+)?)\s*([KMGT]?I?)B?", text.strip(), re.IGNORECASE)
    try:
        return float(match[1]) * UNITS[match[2].upper()]
    except (TypeError, KeyError, ValueError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write 2GB or 500MB") from None


def seconds(text):
    """Seconds of ``60s``, ``2m``, ``1h`` or a plain number."""
    match = re.fullmatch(r"([0-9.]+)\s*(s|m|min|h)?", text.strip(), re.IGNORECASE)
    try:
        value = float(match[1]) * {"s": 1, "m": 60, "min": 60, "h": 3600}[(match[2] or "s").lower()]
    except (TypeError, ValueError):
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time; write 60s or 2m")
    return value


def widths(text):
    """Layer widths of ``1500`` or ``1500,500``."""
    try:
        return [int(width) for width in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} are not layer widths; write 1500 or 1500,500") from None


def setting(text):
    """``(name, value)`` of ``epochs=10``; the value is read as JSON, or else as a word."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE; write for example epochs=10")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def add_method_arguments(parser):
    """What one may turn; names of :class:`LeaSC`'s parameters stand in ``FLAGS``."""
    method = parser.add_argument_group("the method")
    method.add_argument("-k", type=int, dest="n_clusters", metavar="K", help="number of clusters; found if not given")
    method.add_argument("--variant", choices=tuple(VARIANTS), help="the norm of the codes (f2: closed form)")
    method.add_argument(
        "--representatives", type=int, dest="n_representatives", metavar="N", help="how many points teach f (1,000)"
    )
    method.add_argument("--selector", choices=tuple(SELECTORS), help="how they are chosen (random)")
    method.add_argument("--beta", type=float, help="weight of the noise term; small: much is taken for noise")
    method.add_argument("--hidden", type=widths, metavar="H,…", help="widths of f's hidden layers (1500)")
    method.add_argument(
        "--landmarks", type=int, dest="n_landmarks", metavar="P", help="landmarks that codes are joined to (by size)"
    )
    method.add_argument(
        "--draws", type=int, dest="n_draws", metavar="N", help="draw all that is drawn so often, and take the consensus (1)"
    )
    method.add_argument("--precision", choices=("float32", "bfloat16"), help="of f's products over all points (float32)")
    method.add_argument(
        "--block-rows", type=int, metavar="ROWS", help="points handled at a time (4,096); the labels do not change"
    )
    method.add_argument("--seed", type=int, dest="random_state", metavar="SEED", help="the same seed gives the same labels (0)")
    method.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        dest="others",
        metavar="NAME=VALUE",
        help="any other parameter of LeaSC, as in --set affinity=codes --set epochs=10",
    )
    method.add_argument("--affinity", choices=GRAPHS, help="the graph: how points are joined (auto)")
    cleaning = parser.add_argument_group("preparing the points (learned once, kept in the model)")
    cleaning.add_argument(
        "--prepare",
        choices=("auto", "none", *NAMES),
        dest="preprocess",
        metavar="NAME",
        help=f"what is done to raw rows: auto (chosen without labels, the default), none, {', '.join(NAMES)}",
    )
    cleaning.add_argument("--missing", choices=("error", "mean", "low_rank"), help="how missing values are filled in")
    cleaning.add_argument("--standardise", action="store_true", default=None, help="mean 0 and deviation 1 for each feature")
    cleaning.add_argument("--drop-constant", action="store_true", default=None, help="leave out features that never change")
    cleaning.add_argument("--pca", type=int, dest="n_components", metavar="N", help="keep N principal components")
    cleaning.add_argument("--pca-variance", type=float, dest="variance", metavar="SHARE", help="keep this share of the variance")


def method_parameters(options):
    """What was given of ``LeaSC``'s parameters."""
    from ..estimators.leasc import LIMITS

    chosen = {name: getattr(options, name) for name in FLAGS if getattr(options, name) is not None}
    for name, value in options.others:
        if name not in LIMITS or name == "preprocess":
            raise ParameterError(f"--set {name}=… names no parameter of LeaSC; known are {', '.join(sorted(LIMITS))}.")
        chosen[name] = value
    return chosen


def preprocess_settings(options):
    """What was given of the ``Preprocessor``'s settings, or None."""
    return {name: getattr(options, name) for name in PREPROCESS_FLAGS if getattr(options, name) is not None} or None
