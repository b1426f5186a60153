"""Parameters of a cell or a row into the Representatives, Train and Cluster settings, and back: what one click does."""

from leasc_ui.screens.cluster import choices as clusters
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.representatives.settings import FORM as REPRESENTATIVES
from leasc_ui.screens.train.settings import FORM as TRAIN
from leasc_ui.session.fields import fields_of

SCOPE = "loaded"
# What is LeaSC's own business on another page, or in a sweep.
ELSEWHERE = ("train", "seed")
AT_ONCE = ("random",)


def base_parameters(chosen):
    """LeaSC's parameters around a sweep: as they stand on the Representatives and Train pages, so that a cell can be loaded."""
    train, representatives = TRAIN.settings, REPRESENTATIVES.settings
    own = {name: value for name, value in train.parameters.items() if name in _loadable()}
    if train.variant != chosen.variant:
        own = {name: value for name, value in own.items() if name not in ("alpha", "beta")}
    wanted = own | {
        "variant": chosen.variant,
        "hidden": [train.hidden],
        "selector": representatives.selector,
        "n_representatives": chosen.representatives,
    }
    swept = {chosen.down, chosen.across}
    return {name: value for name, value in wanted.items() if name not in swept}


def load(session, parameters, words, fingerprint=None):
    """Set the settings of the other pages to LeaSC's ``parameters``; undo of the scope :data:`SCOPE` returns.

    Where the pipeline holds the same data (by ``fingerprint``), representatives that are drawn at once are drawn.
    """
    last, pipeline = session.last(SCOPE), session.pipeline
    if last is not None and last.words == words:
        return
    before, chosen = {form: form.settings for form in (TRAIN, REPRESENTATIVES, clusters.FORM)}, pipeline.representatives
    session.keep(SCOPE, before, also=lambda: pipeline.set("representatives", chosen), words=words)
    changes = {name: parameters[name] for name in _loadable() if name in parameters}
    if "hidden" in parameters:
        changes["hidden"] = parameters["hidden"][0]
    TRAIN.change(**{"alpha": None, "beta": None} | changes)
    REPRESENTATIVES.change(selector=parameters.get("selector", "random"), count=parameters.get("n_representatives"))
    if parameters.get("n_clusters"):
        clusters.FORM.change(how=clusters.GIVEN, clusters=int(parameters["n_clusters"]), mine=True)
    _draw(pipeline, fingerprint)


def _loadable():
    """The settings of Train that a cell or a row may say."""
    return [name for name in fields_of(TRAIN.kind) if name not in ELSEWHERE]


def _draw(pipeline, fingerprint):
    """The representatives that the settings now ask for, where that takes no time and the data are the same."""
    data, wanted = pipeline.ready("data"), REPRESENTATIVES.settings
    if data is None or data.fingerprint != fingerprint or wanted.selector not in AT_ONCE or wanted.count is None:
        return
    settings, ready = wanted.settings(data), pipeline.ready("representatives")
    if ready is None or ready.settings != settings:
        pipeline.set("representatives", choose(data, settings))
