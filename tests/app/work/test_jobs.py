"""Jobs without Streamlit: how they end, wait, rest and fail, and that one owner's job is no other's."""

import gc
import threading
import time
from dataclasses import dataclass

import pytest

from leasc_core.errors import DataError
from leasc_ui.work import core
from leasc_ui.work.jobs import OUT_OF_MEMORY, UNEXPECTED, History, Job
from leasc_ui.work.slots import JOB, MOST, RUN, SHORT, Ticket, WorkerSlots, set_visitor

SOON = 5.0


@dataclass(frozen=True)
class Step:
    number: int


@dataclass(frozen=True)
class Note:
    text: str


@pytest.fixture(autouse=True)
def awake():
    core.load()


@pytest.fixture
def started():
    """Starts jobs and ends them after the test, whatever happened."""
    jobs = []

    def start(work, **options):
        jobs.append(Job(work, **{"slots": WorkerSlots(2), **options}))
        return jobs[-1].start()

    yield start
    for job in jobs:
        job.cancel()


def forever(report):
    """Works in small steps until it is sent away."""
    number = 0
    while True:
        report(Step(number))
        number += 1
        time.sleep(0.002)


def until(condition, seconds=SOON):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.002)


def test_a_job_finishes_with_its_result_and_what_it_said(started):
    def work(report):
        for number in range(5):
            report(Step(number))
        return "done"

    job = started(work)
    assert job.wait(SOON) and job.status == "finished" and job.result == "done" and job.error is None
    assert job.history.of(Step) == [Step(number) for number in range(5)]
    assert not job.active and job.seconds < SOON


def test_stop_counts_at_once_and_the_thread_leaves_within_a_second(started):
    slots = WorkerSlots(1)
    job = started(forever, slots=slots)
    until(lambda: job.history.count(Step))
    asked = time.monotonic()
    job.cancel()
    assert job.status == "stopped" and time.monotonic() - asked < 0.1
    follower = started(lambda report: "mine", slots=slots)
    assert follower.wait(1.0) and follower.result == "mine"
    said = job.history.count(Step)
    time.sleep(0.05)
    assert job.history.count(Step) == said and job.result is None


def test_a_stopped_job_does_not_come_back_with_a_result(started):
    gate = threading.Event()

    def deaf(report):
        gate.wait(SOON)
        return "too late"

    job = started(deaf)
    until(lambda: job.status == "running")
    job.cancel()
    gate.set()
    time.sleep(0.05)
    assert job.status == "stopped" and job.result is None


def test_pause_holds_the_work_frees_the_slot_and_resume_goes_on(started):
    slots = WorkerSlots(1)
    job = started(forever, slots=slots)
    until(lambda: job.history.count(Step) > 3)
    job.pause()
    other = started(lambda report: "mine", slots=slots)
    assert other.wait(SOON), "a paused job must not keep others waiting"
    said, worked = job.history.count(Step), job.seconds
    time.sleep(0.1)
    assert job.history.count(Step) == said and job.seconds == worked and job.active
    job.resume()
    until(lambda: job.history.count(Step) > said + 3)
    assert job.status == "running" and not job.paused


def test_a_paused_job_can_be_stopped(started):
    job = started(forever)
    until(lambda: job.history.count(Step))
    job.pause()
    job.cancel()
    assert job.status == "stopped" and not job.paused and job.wait(0)


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (DataError("Row 3 is all zeros; drop it."), "Row 3 is all zeros; drop it."),
        (MemoryError(), OUT_OF_MEMORY),
        (ZeroDivisionError("secret path"), UNEXPECTED),
    ],
)
def test_a_failure_is_one_sentence_and_frees_the_slot(started, problem, sentence):
    slots = WorkerSlots(1)

    def work(report):
        raise problem

    job = started(work, slots=slots)
    assert job.wait(SOON) and job.status == "failed" and job.error == sentence and job.result is None
    assert started(lambda report: 1, slots=slots).wait(SOON)


def test_details_of_an_unexpected_failure_go_to_the_log(started, caplog):
    job = started(lambda report: 1 / 0, name="training")
    assert job.wait(SOON)
    until(lambda: "division by zero" in caplog.text)
    assert "training failed" in caplog.text and "division" not in job.error


def test_two_work_at_once_and_the_line_is_fair(started):
    slots, order, working, most, lock = WorkerSlots(2), [], [], [], threading.Lock()

    def work(number):
        def run(report):
            with lock:
                order.append(number)
                working.append(number)
                most.append(len(working))
            time.sleep(0.03)
            with lock:
                working.remove(number)

        return run

    jobs = []
    for number in range(8):
        jobs.append(started(work(number), slots=slots))
        until(lambda number=number: len(order) + slots.waiting > number)
    assert all(job.wait(SOON) for job in jobs)
    assert max(most) == 2
    assert sorted(order) == list(range(8))
    # Two may swap on the way from the line to the work; nobody is overtaken by more than that.
    assert all(abs(place - number) <= 1 for place, number in enumerate(order))


def test_one_who_waits_may_leave_the_line(started):
    slots = WorkerSlots(1)
    first = started(forever, slots=slots)
    until(lambda: first.status == "running")
    second, third = started(forever, slots=slots), started(lambda report: 3, slots=slots)
    assert second.status == "waiting"
    second.cancel()
    assert second.status == "stopped"
    first.cancel()
    assert third.wait(SOON) and third.result == 3


def test_a_job_ends_with_its_owner(started):
    class Visit:
        pass

    visit = Visit()
    job, waiting = started(forever, owner=visit), started(forever, owner=visit, slots=WorkerSlots(0))
    until(lambda: job.history.count(Step))
    del visit
    gc.collect()
    assert job.wait(SOON) and job.status == "stopped"
    assert waiting.wait(SOON) and waiting.status == "stopped"


def test_jobs_of_two_owners_share_nothing(started):
    jobs = [started(lambda report, name=name: (report(Note(name)), name)[1]) for name in ("mine", "yours")]
    assert all(job.wait(SOON) for job in jobs)
    assert [job.history.of(Note) for job in jobs] == [[Note("mine")], [Note("yours")]]
    assert [job.result for job in jobs] == ["mine", "yours"]


def test_heartbeat_moves_with_the_work(started):
    job = started(forever)
    until(lambda: job.history.count(Step))
    before = job.heartbeat
    until(lambda: job.heartbeat > before)


def test_history_is_bounded_and_spread_over_the_whole_run():
    history = History(limit=100, limits={Note: 10})
    for number in range(10_000):
        history.add(Step(number), number / 10)
        history.add(Note(str(number)))
    steps = [event.number for event in history.of(Step)]
    assert steps[0] == 0 and steps[-1] == 9_999 and steps == sorted(steps)
    assert 40 <= len(steps) <= 101 and len(history.of(Note)) <= 11
    apart = [b - a for a, b in zip(steps[:-2], steps[1:-1], strict=True)]
    assert min(apart) == max(apart), "what is kept is evenly spaced"
    assert history.timed(Step)[-1] == (999.9, Step(9_999))
    assert history.count(Step) == 10_000 and history.latest(Note) == Note("9999")
    assert len(history.events) == len(steps) + len(history.of(Note))


def test_an_empty_history():
    history = History()
    assert history.of(Step) == [] and history.latest(Step) is None and history.count(Step) == 0 and history.events == ()


def test_one_visitor_with_many_jobs_does_not_keep_another_waiting(started):
    """Whoever has nothing at work is next, however many stand in line before."""
    slots, order = WorkerSlots(1), []
    gate = threading.Event()

    def job(name):
        def work(report):
            order.append(name)
            gate.wait(SOON)

        return work

    set_visitor("many")
    jobs = [started(job("many"), slots=slots) for _ in range(20)]
    set_visitor("one")
    jobs.append(started(job("one"), slots=slots))
    set_visitor("")
    assert jobs[-1].place == 1 and jobs[1].place == 2, "one job is at work; the other visitor's is next"
    gate.set()
    assert all(job.wait(SOON) for job in jobs)
    assert order.index("one") == 1


def test_long_work_leaves_slots_for_what_a_page_waits_for():
    slots = WorkerSlots()
    tickets = {kind: [Ticket(kind, f"visitor {number}") for number in range(6)] for kind in (RUN, JOB, SHORT)}
    for kind, own in tickets.items():
        for ticket in own:
            slots.enter(ticket)
        assert sum(ticket.working for each in tickets.values() for ticket in each) == MOST[kind]
    slots.leave(tickets[SHORT][0])
    assert sum(ticket.working for ticket in tickets[SHORT]) == 1, "a run or a job may not begin on the last slot"


def test_work_inside_work_needs_no_second_slot():
    slots = WorkerSlots(1)
    with slots.slot(SHORT), slots.slot(SHORT):
        waiting = Ticket(SHORT, "other")
        slots.enter(waiting)
        assert not waiting.working
    assert waiting.working
