"""Parameters of a cell or a row into the Representatives, Train and Cluster settings, and back: what one click does."""

from dataclasses import dataclass, replace

from leasc_ui import cluster_room, representatives_room, train_form
from leasc_ui.pipeline import ChosenRepresentatives, RepresentativeSettings
from leasc_ui.representatives_work import FEWEST, choose

MOST_STEPS = 30
TRAINED = ("variant", "alpha_bar", "alpha", "beta", "solver", "activation", "epochs")
AT_ONCE = ("random",)


@dataclass(frozen=True, eq=False)
class Before:
    """How the settings stood before something was loaded; ``words`` say what was loaded."""

    words: str
    representatives: object
    train: object
    clusters: object
    chosen: ChosenRepresentatives | None


def base_parameters(chosen):
    """LeaSC's parameters around a sweep: as they stand on the Representatives and Train pages, so that a cell can be loaded."""
    train, representatives = train_form.REMEMBERED.kept.settings, representatives_room.REMEMBERED.kept.settings
    wanted = {
        "variant": chosen.variant, "alpha_bar": train.alpha_bar, "solver": train.solver, "hidden": [train.hidden],
        "activation": train.activation, "epochs": train.epochs, "selector": representatives.selector,
        "n_representatives": chosen.representatives,
    }  # fmt: skip
    if train.variant == chosen.variant:
        wanted |= {name: getattr(train, name) for name in ("alpha", "beta") if getattr(train, name) is not None}
    swept = {chosen.down, chosen.across}
    return {name: value for name, value in wanted.items() if name not in swept}


def load(mine, steps, parameters, words, fingerprint=None):
    """Set the settings of the other pages to LeaSC's ``parameters``; ``steps`` keeps the way back.

    Where the pipeline holds the same data (by ``fingerprint``), representatives that are drawn at once are drawn.
    """
    before = _now(mine, words)
    if steps and steps[-1].words == words:
        return
    del steps[: len(steps) - MOST_STEPS + 1]
    steps.append(before)
    changes = {name: parameters[name] for name in TRAINED if name in parameters}
    if "hidden" in parameters:
        changes["hidden"] = parameters["hidden"][0]
    fresh = replace(before.train, alpha=None, beta=None)
    train_form.REMEMBERED.put(replace(fresh, **changes), train_form.usual)
    _put_representatives(mine, replace(before.representatives, selector=parameters.get("selector", "random"),
                                       count=parameters.get("n_representatives")))  # fmt: skip
    if parameters.get("n_clusters"):
        known = replace(before.clusters, how=cluster_room.GIVEN, clusters=int(parameters["n_clusters"]))
        cluster_room.REMEMBERED.put(known)
    _draw(mine, fingerprint)


def undo(mine, steps):
    """Back to how the settings stood before the last that was loaded."""
    if not steps:
        return
    before = steps.pop()
    train_form.REMEMBERED.put(before.train, train_form.usual)
    _put_representatives(mine, before.representatives)
    cluster_room.REMEMBERED.put(before.clusters)
    mine.pipeline.representatives = before.chosen


def _now(mine, words):
    rooms = (representatives_room, train_form, cluster_room)
    return Before(words, *(each.REMEMBERED.kept.settings for each in rooms), mine.pipeline.representatives)


def _put_representatives(mine, settings):
    data = mine.pipeline.ready("data")
    usual = representatives_room.usual_for(len(data.points)) if data is not None else lambda settings: {"count": FEWEST}
    representatives_room.REMEMBERED.put(settings, usual)


def _draw(mine, fingerprint):
    """The representatives that the settings now ask for, where that takes no time and the data are the same."""
    data, wanted = mine.pipeline.ready("data"), representatives_room.REMEMBERED.kept.settings
    if data is None or data.fingerprint != fingerprint or wanted.selector not in AT_ONCE or wanted.count is None:
        return
    settings = RepresentativeSettings(wanted.selector, min(wanted.count, len(data.points)), wanted.seed)
    ready = mine.pipeline.ready("representatives")
    if ready is None or ready.settings != settings:
        mine.pipeline.representatives = choose(data, settings)

