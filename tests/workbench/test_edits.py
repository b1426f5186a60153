"""Edits: what each does to the labels, undone and done again, written and read, refused in a sentence."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from leasc_core.errors import DataError, LeascError, ParameterError
from leasc_core.workbench.history import History, in_words
from leasc_core.workbench.replay import apply, beginning, replay
from leasc_core.workbench.rows import rows_of, text_of
from leasc_core.workbench.steps import Colour, Give, Lock, Merge, Name, Noise, Note, Recluster, TakeOut, from_plain, to_plain

LABELS = np.array([0, 0, 0, 1, 1, 2, 2, 2])
EVERY_KIND = (
    Name(0, "pumps"),
    Colour(0, "#112233"),
    Note("looks like wear", 0),
    Note("for the meeting"),
    TakeOut("0,3", 3),
    Give("1", 2),
    Recluster(("5-6", "7"), (4, 5), None, {"n_clusters": None}, "a"),
    Merge((4, 5)),
    Lock(4),
    Noise("4"),
    Lock(4, False),
    Noise(cluster=4),
)


@given(some.lists(some.integers(0, 300)))
def test_rows_survive_being_written(rows):
    np.testing.assert_array_equal(rows_of(text_of(rows), 301), np.unique(rows))


@pytest.mark.parametrize("text", ["a", "1-", "3-1", "1,1", "2,1", "9", "1;2", "-1", " 1", "1" * 30])
def test_rows_that_make_no_sense_are_refused(text):
    with pytest.raises(DataError):
        rows_of(text, 9)


def test_labels_after_each_kind_of_edit():
    assert replay(LABELS, [Merge((1, 2))]).labels.tolist() == [0, 0, 0, 1, 1, 1, 1, 1]
    assert replay(LABELS, [TakeOut("0,3", 3)]).labels.tolist() == [3, 0, 0, 3, 1, 2, 2, 2]
    assert replay(LABELS, [Give("0-1", 1)]).labels.tolist() == [1, 1, 0, 1, 1, 2, 2, 2]
    assert replay(LABELS, [Noise("0")]).labels.tolist() == [-1, 0, 0, 1, 1, 2, 2, 2]
    gone = replay(LABELS, [Noise(cluster=1)])
    assert gone.labels.tolist() == [0, 0, 0, -1, -1, 2, 2, 2]
    assert gone.compact.tolist() == [0, 0, 0, -1, -1, 1, 1, 1]
    assert gone.titles == ["cluster 1", "cluster 3"]
    split = replay(LABELS, [Recluster(("0", "1-2"), (3, 4), 0)])
    assert split.labels.tolist() == [3, 4, 4, 1, 1, 2, 2, 2]
    assert (split.ids, split.parents) == ((1, 2, 3, 4), {3: 0, 4: 0})


def test_undo_and_redo_lead_back_and_forth():
    history, state = History(), beginning(LABELS)
    states = [state]
    for step in EVERY_KIND:
        history, state = history.do(step, state)
        states.append(state)
    for before in reversed(states[:-1]):
        history = history.undo()
        assert history.state(LABELS).labels.tolist() == before.labels.tolist()
        assert history.state(LABELS).titles == before.titles
    assert history.undo() == history
    for after in states[1:]:
        history = history.redo()
        assert history.state(LABELS).labels.tolist() == after.labels.tolist()
    assert history.steps == EVERY_KIND
    assert History(history.steps).redo() == History(history.steps)


def test_steps_survive_json_and_a_folder(tmp_path):
    history = History(EVERY_KIND[:3], EVERY_KIND[3:])
    assert from_plain(json.loads(json.dumps(to_plain(EVERY_KIND)))) == EVERY_KIND
    history.save(tmp_path)
    assert History.load(tmp_path) == history
    assert History.load(tmp_path / "elsewhere") == History()


def test_every_step_is_told_with_the_names_of_its_time():
    told = in_words(EVERY_KIND, LABELS)
    assert told[0] == "Called cluster 1 “pumps”"
    assert "Took 2 points out as cluster 4" in told
    assert "Merged cluster 6 into cluster 5" in told
    assert len(told) == len(EVERY_KIND)


def test_a_name_that_is_taken_is_refused_and_its_owner_known():
    state = replay(LABELS, [Name(0, "Pumps")])
    assert state.namesake(1, " pumps ") == 0
    with pytest.raises(ParameterError, match="merge the two"):
        apply(Name(1, "pumps"), state)
    assert apply(Merge((0, 1)), state).titles == ["Pumps", "cluster 3"]


@pytest.mark.parametrize(
    "step",
    [Merge((0, 1)), Give("0", 1), Give("3", 0), TakeOut("0", 3), Noise("0-7"), Noise(cluster=0), Recluster(("0", "1"), (3, 4))],
)
def test_a_locked_cluster_is_left_alone(step):
    with pytest.raises(ParameterError, match="cluster 1 is locked"):
        apply(step, replay(LABELS, [Lock(0)]))


@pytest.mark.parametrize(
    "step",
    [
        Merge((0,)),
        Merge((0, 9)),
        TakeOut("", 3),
        TakeOut("0", 1),
        TakeOut("99", 3),
        Give("0", 7),
        Colour(0, "red"),
        Name(5, "x"),
        Recluster(("0",), (3, 4)),
        Recluster(("0-1", "1"), (3, 4)),
        Noise(""),
    ],
)
def test_what_cannot_be_done_is_a_sentence(step):
    with pytest.raises(LeascError, match=r"\.$"):
        apply(step, beginning(LABELS))


@pytest.mark.parametrize(
    "value",
    [
        None,
        "x",
        [1],
        [{"kind": "rm"}],
        [{"kind": "merge"}],
        [{"kind": "merge", "clusters": "01"}],
        [{"kind": "merge", "clusters": ["0"]}],
        [{"kind": "give", "rows": 3, "cluster": 0}],
        [{"kind": "lock", "cluster": 0, "locked": "no"}],
        [{"kind": "name", "cluster": 0, "name": "a", "x": 1}],
        [{"kind": "note", "text": "a", "cluster": True}],
        [{"kind": "give", "rows": "0", "cluster": -3}],
    ],
)
def test_a_broken_list_is_refused(value):
    with pytest.raises(DataError):
        from_plain(value)
