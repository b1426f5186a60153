"""Accepting a candidate: it becomes the choice on Representatives, Train and Cluster, f is trained with it, and undo returns."""

from dataclasses import dataclass

from leasc_ui import cluster_room, core, representatives_room, train_form, train_room
from leasc_ui.autopilot_room import room
from leasc_ui.forms import default_beta
from leasc_ui.pipeline import RepresentativeSettings, TrainSettings
from leasc_ui.representatives_room import RepresentativeChoices
from leasc_ui.representatives_work import MOST, choose


@dataclass(frozen=True, eq=False)
class Before:
    """All that accepting changes, as it was."""

    accepted: dict | None
    choices: tuple
    results: tuple
    folder: str | None


def choices_of(row, points):
    """A candidate as the choices of the three pages; what is the usual is left to be the usual."""
    count = min(int(row["n_representatives"]), MOST, points)
    usual = representatives_room.usual_for(points)(None)["count"]
    representatives = RepresentativeChoices("random", None if count == usual else count)
    beta = None if row["beta"] == default_beta(row["variant"]) else float(row["beta"])
    train = TrainSettings(variant=row["variant"], beta=beta)
    landmarks = min(int(row["n_landmarks"]), points)
    landmarks = None if landmarks == cluster_room.usual_for(points)(None)["landmarks"] else landmarks
    clusters = cluster_room.ClusterChoices(
        cluster_room.GIVEN, int(row["n_clusters"]), affinity=row["affinity"], landmarks=landmarks
    )
    return representatives, train, clusters


def accept(mine, row):
    """Load a candidate everywhere and train f with it; call it before the widgets are drawn, so from a callback."""
    here, pipeline, points = room(), mine.pipeline, len(mine.pipeline.data.points)
    trainer = train_room.room()
    here.keep(_now(mine))
    trainer.stop()
    wanted = choices_of(row, points)
    _put(wanted, points)
    count = wanted[0].count or representatives_room.usual_for(points)(None)["count"]
    with core.single_thread():
        pipeline.representatives = choose(pipeline.data, RepresentativeSettings("random", count, 0))
    trainer.start(pipeline.data, pipeline.representatives, wanted[1])
    here.accepted = row


def undo(mine):
    """Back to the choices and results before the last acceptance."""
    here = room()
    if not here.before:
        return
    before = here.before.pop()
    train_room.room().stop()
    train_room.room().run = None
    pipeline = mine.pipeline
    pipeline.representatives, pipeline.model, pipeline.clusters = before.results
    cluster_room.room().folder = before.folder
    _put(before.choices, len(pipeline.data.points) if pipeline.data else 2)
    here.accepted = before.accepted


def _now(mine):
    pipeline = mine.pipeline
    results = (pipeline.representatives, pipeline.model, pipeline.clusters)
    choices = tuple(each.kept.settings for each, _ in _forms(2))
    return Before(room().accepted, choices, results, cluster_room.room().folder)


def _put(choices, points):
    for (form, usual), wanted in zip(_forms(points), choices, strict=True):
        form.put(wanted, usual)


def _forms(points):
    """The three pages' choices, and what is usual on each for so many points."""
    return (
        (representatives_room.REMEMBERED, representatives_room.usual_for(points)),
        (train_form.REMEMBERED, train_form.usual),
        (cluster_room.REMEMBERED, cluster_room.usual_for(points)),
    )
