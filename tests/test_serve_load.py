"""The server under pressure: full queues, slow work, clients that leave, and the end of it all."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from provers import untrained
from served import QUICK, RULES, SLOW, Served, Slow, parse, reply, serving, started, until
from shell import Run

from ibr.asking.prover import Prover
from ibr.decoding.scoring import SearchProgress
from ibr.errors import ExitCode
from ibr.model.trained import ModelReasoner
from ibr.prediction import Prediction
from ibr.serving.limits import ServerLimits
from ibr.theory import Problem

pytestmark = pytest.mark.e2e

STREAM, PROVE = "/v1/prove/stream", "/v1/prove"


def test_a_full_queue_refuses_at_once_and_waiting_requests_are_served() -> None:
    slow = Slow()
    with serving(Prover(slow), ServerLimits(max_queue=2)) as server, ThreadPoolExecutor(3) as pool:
        first = pool.submit(server.prove, SLOW)
        until(lambda: slow.begun == 1)
        others = [pool.submit(server.prove, QUICK) for _ in range(2)]
        server.wait_for("ibr_queue_waiting", 2)
        for path in (PROVE, STREAM):
            started = time.perf_counter()
            refused = server.post(path, {"rules": RULES, "questions": [QUICK]})
            assert time.perf_counter() - started < 5.0  # a busy machine is slow, but nothing waits
            assert (refused.status, refused.headers["retry-after"]) == (503, "1")
            assert refused.fault["field"] == "queue"
        assert server.get("/healthz").status == 200
        slow.gate.set()
        assert [done.result().status for done in (first, *others)] == [200] * 3


def test_what_takes_too_long_is_cancelled_and_the_next_is_served() -> None:
    slow = Slow()
    with serving(Prover(slow), ServerLimits(request_timeout_s=0.4)) as server:
        for number, path in enumerate((PROVE, STREAM), start=1):
            late = reply(server.begin(path, SLOW))
            assert late.status == 504
            assert "0.4 s (request_timeout_s)" in late.fault["message"]
            until(lambda n=number: slow.cancelled == n)
            server.wait_for("ibr_running", 0)
            assert server.prove(QUICK).status == 200


def test_a_stream_that_takes_too_long_says_so_in_an_event() -> None:
    slow = Slow()

    class Patient(ModelReasoner):
        def proving(self, problems: Sequence[Problem]) -> Iterator[SearchProgress]:
            progress = super().proving(problems)
            yield next(progress)
            if any("slow" in problem.question.text for problem in problems):
                yield from slow.wait()
            yield from progress

    model = Patient(untrained().model)
    with serving(Prover(model, verify=True), ServerLimits(request_timeout_s=1.0)) as server:
        events = list(parse(reply(server.begin(STREAM, SLOW)).body.decode()))
        assert [name for name, _ in events] == ["answer", "error", "end"]
        assert events[1][1]["status"] == 504
        until(lambda: slow.cancelled == 1)


@pytest.mark.parametrize("path", [PROVE, STREAM])
def test_a_client_that_leaves_frees_its_slot(path: str) -> None:
    slow = Slow()
    with serving(Prover(slow), ServerLimits(max_queue=1)) as server:
        running = server.begin(path, SLOW)
        until(lambda: slow.begun == 1)
        waiting = server.begin(path, SLOW)
        server.wait_for("ibr_queue_waiting", 1)
        waiting.close()
        server.wait_for("ibr_queue_waiting", 0)
        assert slow.begun == 1  # a request without a client is not begun
        running.close()
        server.wait_for("ibr_running", 0)
        until(lambda: slow.cancelled == 1)
        assert server.prove(QUICK).status == 200
        assert server.metric("ibr_clients_left_total") == 2


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_streams_whose_clients_vanish_leak_nothing(count: int) -> None:
    """Some vanish while they wait, some while they are worked on, some while they get events."""
    slow = Slow()
    threads = threading.active_count()
    with serving(Prover(slow), ServerLimits(max_queue=count)) as server:
        for number in range(count):
            if number % 10 == 9:
                slow.gate.set()
            gone = server.begin(STREAM, SLOW if number % 3 else QUICK)
            if number % 2:
                time.sleep(0.01)
            gone.close()
            slow.gate.clear()
        server.wait_for("ibr_running", 0)
        server.wait_for("ibr_queue_waiting", 0)
        slow.gate.set()
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(server.prove, QUICK) for _ in range(16)]
            assert {done.result().status for done in asked} == {200}
        assert server.metric("ibr_clients_left_total") <= count
    assert threading.active_count() == threads


def test_a_client_that_reads_slowly_holds_up_nobody() -> None:
    with serving(Prover(untrained(), verify=True)) as server:
        lazy = [server.begin(STREAM, QUICK) for _ in range(5)]
        server.wait_for('ibr_requests_total{path="/v1/prove/stream",status="200"}', 5)
        assert server.prove(QUICK).status == 200
        assert server.metric("ibr_running") == 0
        for one in lazy:
            assert list(parse(reply(one).body.decode()))[-1] == ("end", {})


def test_requests_that_wait_together_are_answered_together() -> None:
    slow = Slow()
    with serving(Prover(slow), ServerLimits(max_batch=4)) as server, ThreadPoolExecutor(7) as pool:
        first = pool.submit(server.prove, SLOW)
        until(lambda: slow.begun == 1)
        others = [pool.submit(server.prove, QUICK, "Arthur is old.") for _ in range(6)]
        server.wait_for("ibr_queue_waiting", 6)
        slow.batches.clear()
        slow.gate.set()
        answers = [done.result().json["results"] for done in others]
        assert first.result().status == 200
        assert slow.batches == [8, 4]  # questions: of four requests, then of two
        assert all(answer == answers[0] for answer in answers)


def test_one_bad_request_does_not_spoil_its_batch() -> None:
    slow = Slow()
    with serving(Prover(slow)) as server, ThreadPoolExecutor(4) as pool:
        first = pool.submit(server.prove, SLOW)
        until(lambda: slow.begun == 1)
        good, bad, late = (pool.submit(server.prove, q) for q in (QUICK, "Why?", QUICK))
        server.wait_for("ibr_queue_waiting", 3)
        slow.gate.set()
        assert [f.result().status for f in (first, good, bad, late)] == [200, 200, 422, 200]


class Broken:
    name = "broken"

    def __init__(self) -> None:
        self._first = True

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        if self._first:
            self._first = False
            return Slow().prove(problems)  # the warm-up
        raise RuntimeError("a secret of the server")


def test_a_bug_is_an_internal_error_without_secrets() -> None:
    with serving(Prover(Broken())) as server:
        for path in (PROVE, STREAM):
            failed = server.post(path, {"rules": RULES, "questions": [QUICK]})
            assert failed.status == 500
            assert failed.fault["message"] == "internal error: RuntimeError"
        assert server.get("/readyz").status == 200


class Wrong(Broken):
    """Proves nothing, not even at the start."""

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        given = Slow().prove(problems)
        return [Prediction(p.id, not p.answer, p.reasoner, p.strategy, p.graph) for p in given]


def test_a_model_that_cannot_prove_the_simplest_is_not_ready() -> None:
    with serving(Prover(Wrong())) as server:
        assert server.get("/healthz").status == 200
        assert server.get("/readyz").status == 503


@contextmanager
def process(*options: str) -> Iterator[tuple[subprocess.Popen[str], Served]]:
    with started("--reasoner", "solver", *options) as (running, served, said):
        assert re.fullmatch(r"ibr: serving on http://127\.0\.0\.1:(\d+)/\n", said)
        assert answers(served)  # it says where it is when it is there
        yield running, served


def answers(served: Served) -> bool:
    try:
        return served.get("/readyz").status == 200
    except OSError:
        return False


UNBOUNDED = ("--max-work", "1000000000", "--max-groundings", "1000000000")


def heavy(names: int) -> str:
    """Rules that take a second or more: everybody comes to like everybody."""
    people = [f"N{chr(65 + n // 26)}{chr(97 + n % 26)}" for n in range(names)]
    facts = [f"{a} likes {b}." for a, b in zip(people, people[1:] + people[:1], strict=True)]
    return "\n".join([*facts, "If X likes Y and Y likes Z then X likes Z."])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
def test_a_signal_finishes_what_was_begun_and_ends_with_0(number: int) -> None:
    patient = ("--request-timeout-s", "300", "--drain-s", "310")  # a busy machine is no failure
    with process(*patient, *UNBOUNDED) as (server, served), ThreadPoolExecutor(5) as pool:
        begun = [pool.submit(served.prove, "NAa likes NAc.", rules=heavy(30)) for _ in range(5)]
        until(lambda: served.metric("ibr_running") + served.metric("ibr_queue_waiting") == 5)
        server.send_signal(number)
        until(lambda: not answers(served))
        assert not all(each.done() for each in begun)
        assert [each.result().status for each in begun] == [200] * 5
        assert server.wait(60) == 0


def test_sigterm_waits_no_longer_than_the_time_to_drain() -> None:
    with process("--drain-s", "1", *UNBOUNDED) as (server, served):
        left = served.connect()
        left.request("POST", PROVE, *posted(heavy(150)))
        served.wait_for("ibr_running", 1)
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0
        left.close()


def posted(rules: str) -> tuple[bytes, dict[str, str]]:
    body = json.dumps({"rules": rules, "questions": ["NAa likes NAc."]}).encode()
    return body, {"Content-Type": "application/json"}


def test_a_long_step_stops_when_its_client_has_got_504() -> None:
    """The worker is free at once: without that, this step would take minutes."""
    with process("--request-timeout-s", "1", *UNBOUNDED) as (_, served):
        assert served.prove("NAa likes NAc.", rules=heavy(150)).status == 504
        served.wait_for("ibr_running", 0)
        assert served.get("/healthz").status == 200
        until(lambda: served.prove(QUICK).status == 200)


def test_sigint_is_an_interruption() -> None:
    with process() as (server, _):
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == ExitCode.INTERRUPTED


def test_limits_come_from_flags_and_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBR_MAX_SENTENCES", "2")
    with process("--max-questions", "1") as (_, served):
        assert "at most 2 (max_sentences)" in served.prove(QUICK).fault["message"]
        two = served.prove(QUICK, QUICK, rules="Arthur is happy.")
        assert "at most 1 (max_questions)" in two.fault["message"]


def test_a_port_in_use_an_unknown_reasoner_and_bad_limits_are_named(run: Run) -> None:
    with serving(Prover(Slow())) as taken:
        done = run("serve", "--port", taken.port, "--reasoner", "solver")
        assert (done.code, f"127.0.0.1:{taken.port}" in done.err) == (ExitCode.DATA, True)
    assert run("serve", "--reasoner", "nobody").code == ExitCode.NOT_FOUND
    assert run("serve", "--max-queue", "0").code == ExitCode.USAGE


def test_without_its_libraries_it_says_how_to_get_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("ibr.serving.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("serve")
    assert done.code == ExitCode.NOT_FOUND
    assert "pip install 'ibr[serve]'" in done.err
