"""More than the server can do: it says so before it looks, and takes on less when it is slower."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from served import JSON, QUICK, SLOW, Served, Slow, reply, serving, until

from ibr.asking.prover import Prover
from ibr.serving.limits import ServerLimits
from ibr.serving.work.queued import Pace, QueuedJob

pytestmark = pytest.mark.e2e

POSTED = ("/v1/prove", "/v1/prove/stream", "/v1/check", "/v1/read")


@contextmanager
def full(**limits: int) -> Iterator[Served]:
    """A server on which one request is worked on and the only place is taken."""
    slow = Slow()
    kept = ServerLimits(max_queue=1, **limits)
    with serving(Prover(slow), kept) as server, ThreadPoolExecutor(2) as pool:
        begun = [pool.submit(server.prove, SLOW)]
        until(lambda: slow.begun == 1)
        begun.append(pool.submit(server.prove, SLOW))
        server.wait_for("ibr_queue_waiting", 1)
        try:
            yield server
        finally:
            slow.gate.set()
        assert [done.result().status for done in begun] == [200, 200]
        assert server.send("POST", "/v1/prove", b"{", JSON).status == 422  # it looks again


def test_a_full_queue_refuses_before_it_looks_at_the_body() -> None:
    with full() as server:
        for path in POSTED:
            refused = server.send("POST", path, b"{ no JSON", JSON)
            assert (refused.status, refused.headers["retry-after"]) == (503, "1")
            assert refused.fault == {
                "field": "queue",
                "sentence": None,
                "line": None,
                "message": "the queue is full or the server is stopping; try again later",
            }
            assert refused.headers["x-content-type-options"] == "nosniff"
            assert server.metric(f'ibr_requests_total{{path="{path}",status="503"}}') == 1


def test_all_but_work_is_served_while_the_queue_is_full() -> None:
    with full() as server:
        for path in ("/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/examples"):
            assert server.get(path).status == 200
        assert server.send("POST", "/v1/nothing", b"{}", JSON).status == 404
        assert server.send("POST", "/v1/examples", b"{}", JSON).status == 405
        assert server.send("GET", "/v1/prove").status == 405


@pytest.mark.parametrize("chunked", [False, True])
def test_a_connection_can_be_used_again_after_a_refusal(chunked: bool) -> None:
    """Its body was read: no byte of it is taken for the next request."""
    body = b"GET / HTTP/1.1\r\n\r\n" * 5000
    with full() as server:
        connection = server.connect()
        for _ in range(3):
            sent = iter([body[:50], body[50:]]) if chunked else body
            connection.request("POST", "/v1/prove", sent, JSON, encode_chunked=chunked)
            socket = connection.sock
            assert reply(connection).status == 503
            assert connection.sock is socket  # it was not closed
        connection.request("GET", "/healthz")
        assert reply(connection).json == {"status": "ok"}
        connection.close()


def test_a_large_body_is_too_large_even_when_the_queue_is_full() -> None:
    with full(max_body_bytes=1000) as server:
        assert server.send("POST", "/v1/prove", b" " * 1001, JSON).status == 413
        assert server.send("POST", "/v1/prove", b" " * 1000, JSON).status == 503


def test_a_request_that_would_wait_too_long_is_refused_though_the_queue_has_places() -> None:
    slow = Slow()
    limits = ServerLimits(max_queue=64, max_batch=1, max_wait_s=0.0)
    with serving(Prover(slow), limits) as server, ThreadPoolExecutor(2) as pool:
        assert server.metric("ibr_expected_seconds") == 0.0
        assert server.prove(QUICK).status == 200  # so that it knows how long that takes
        first = pool.submit(server.prove, SLOW)
        until(lambda: slow.begun == 1)
        second = pool.submit(server.prove, QUICK)
        server.wait_for("ibr_queue_waiting", 1)
        assert server.metric("ibr_expected_seconds") > 0.0
        assert server.prove(QUICK).status == 503
        slow.gate.set()
        assert [done.result().status for done in (first, second)] == [200, 200]
        assert server.prove(QUICK).status == 200


def job(group: str, weight: int) -> QueuedJob:
    return QueuedJob(group, None, weight)


def test_the_pace_is_that_of_the_last_batches_of_the_same_group() -> None:
    pace = Pace()
    assert pace.expected([job("a", 5)]) == 0.0
    pace.add([job("a", 3), job("a", 1)], 2.0)
    pace.add([job("b", 1)], 7.0)
    assert pace.expected([job("a", 5), job("b", 2), job("c", 9)]) == 2.5 + 14.0
    pace.add([job("a", 4)], 6.0)
    assert pace.expected([job("a", 1)]) == 1.0  # eight units in eight seconds
    for _ in range(8):
        pace.add([job("a", 2)], 1.0)
    assert pace.expected([job("a", 1)]) == 0.5  # what was long ago is forgotten


def test_the_pace_of_a_server_that_became_slower_is_that_of_its_last_two_batches() -> None:
    pace = Pace()
    for seconds in (1.0,) * 8 + (3.0,) * 2:
        pace.add([job("a", 16)], seconds)
    assert pace.expected([job("a", 16)]) == 3.0
    pace.add([job("a", 16)], 1.0)
    pace.add([job("a", 16)], 1.0)
    assert pace.expected([job("a", 16)]) == 1.5  # quick again: that of the last eight


def test_what_is_accepted_takes_half_of_the_time_of_a_full_queue() -> None:
    limits = ServerLimits()
    assert 2 * limits.max_batch <= (limits.max_queue + limits.max_batch) / 2
    slow = (limits.max_queue + limits.max_batch) / 25  # seconds, at 25 requests a second
    assert limits.max_wait_s <= slow / 2


def test_limits_name_the_wait() -> None:
    assert (
        ServerLimits().max_wait_s < ServerLimits().request_timeout_s
    )  # none is accepted to be given up
    with pytest.raises(ValueError, match="max_wait_s is -1"):
        ServerLimits(max_wait_s=-1)
