"""Clients that mean harm: silent, slow, endless, pipelined, heavy. The others are served."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from served import QUICK, RULES, Served, Slow, serving, started, until

import ibr
from benchmarks.attackers import Attack, circle, cubes, large, tangled
from benchmarks.load import post
from ibr.asking.prover import Prover
from ibr.serving.connections import client_of
from ibr.serving.limits import ServerLimits
from ibr.serving.work import responses

pytestmark = pytest.mark.e2e

WAITING = "ibr_queue_waiting"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
CHUNKS = b"POST /v1/prove HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def connect(server: Served, sent: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", server.port), 30, (address, 0))
    made.sendall(sent)
    return made


def ending(connection: socket.socket) -> bytes:
    """All that comes until the server closes it."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionError:
        pass
    return found


@contextmanager
def solving(**limits: Any) -> Iterator[Served]:
    with serving(ibr.load("solver"), ServerLimits(**limits)) as server:
        yield server


@pytest.mark.parametrize(
    ("sent", "limits", "answer"),
    [
        (b"", {"idle_timeout_s": 0.2}, b""),
        (GET + b"\r\n", {"idle_timeout_s": 0.2}, b"HTTP/1.1 200 "),
        (GET, {"header_timeout_s": 0.2}, b"HTTP/1.1 408 "),
        (GET + b"Content-Length: 9\r\n\r\nx", {"body_timeout_s": 0.2}, b"HTTP/1.1 408 "),
        (b"no HTTP\r\n\r\n", {}, b"HTTP/1.1 400 "),
        (CHUNKS + b"zz\r\n", {}, b"HTTP/1.1 400 "),
        (CHUNKS + b"2\r\n{}\r\nno\r\n" + GET, {}, b"HTTP/1.1 400 "),
        (GET + b"A: b\r\n" * 70, {}, b"HTTP/1.1 431 "),
        (GET + b"A: " + b"b" * 40_000, {}, b"HTTP/1.1 431 "),
        (b"GET /" + b"x" * 40_000, {}, b"HTTP/1.1 431 "),
        (GET + b"A: " + b"b" * 300 + b"\r\n\r\n", {"max_header_bytes": 256}, b"HTTP/1.1 431 "),
    ],
    ids=[
        "silent",
        "idle",
        "headers",
        "body",
        "malformed",
        "chunk",
        "next chunk",
        "many",
        "long",
        "path",
        "small limit",
    ],
)
def test_a_connection_is_closed_when_its_time_or_its_headers_are_over(
    sent: bytes, limits: dict[str, Any], answer: bytes
) -> None:
    with solving(**limits) as server, closing(connect(server, sent)) as connection:
        found = ending(connection)
        assert found.startswith(answer)
        assert bool(found) == bool(answer)
        assert server.get("/healthz").status == 200


def test_a_client_that_reads_nothing_is_closed() -> None:
    with solving(send_timeout_s=0.2, max_pipelined=1000) as server:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with closing(connection):
            connection.settimeout(30)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 900)
            until(lambda: server.metric('ibr_requests_total{path="/openapi.json"') > 0)
            until(lambda: _is_closed(connection))


def _is_closed(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"\r\n")
    except OSError:
        return True
    return False


def test_too_many_pipelined_requests_close_the_connection() -> None:
    slow = Slow()
    body = json.dumps({"rules": RULES, "questions": ["The slow door is happy."]}).encode()
    head = b"POST /v1/prove HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    first = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with serving(Prover(slow), ServerLimits(max_pipelined=3)) as server:
        with closing(connect(server, first + (GET + b"\r\n") * 3)) as connection:
            server.wait_for("ibr_running", 1)
            connection.sendall((GET + b"\r\n") * 100)
            assert ending(connection) == b""
            server.wait_for("ibr_running", 0)  # nobody waits for it any more
        until(lambda: slow.cancelled == slow.begun)


@pytest.mark.parametrize("limit", ["max_connections", "max_client_connections"])
def test_silent_connections_keep_nobody_out(limit: str) -> None:
    with solving(**{limit: 10}) as server:
        silent = [connect(server) for _ in range(40)]
        assert server.prove(QUICK).status == 200
        assert server.get("/readyz").status == 200
        for connection in silent[:20]:
            assert ending(connection) == b""  # the oldest gave their places
        for connection in silent:
            connection.close()


def test_health_is_answered_when_every_connection_is_busy() -> None:
    slow = Slow()
    with serving(Prover(slow), ServerLimits(max_connections=4)) as server:
        busy = []
        for count in (1, 2, 3):
            busy.append(server.begin("/v1/prove", "The slow door is happy."))
            until(lambda n=count: server.metric("ibr_running") + server.metric(WAITING) == n)
        busy.append(server.begin("/v1/prove", "The slow door is happy."))
        time.sleep(0.5)
        refused = server.get("/v1/examples")
        assert (refused.status, refused.fault["field"]) == (503, "connections")
        assert refused.headers["retry-after"] == "1"
        assert server.get("/healthz").status == 200
        assert server.get("/readyz").status == 200
        slow.gate.set()
        assert [each.getresponse().status for each in busy] == [200] * 4
        for each in busy:
            each.close()
        until(lambda: server.get("/v1/examples").status == 200)


def test_a_connection_beyond_all_places_is_told_when_to_come_again() -> None:
    slow = Slow()
    with serving(Prover(slow), ServerLimits(max_client_connections=1)) as server:
        busy = server.begin("/v1/prove", "The slow door is happy.")
        until(lambda: slow.begun == 1)
        refused = server.get("/healthz")
        assert (refused.status, refused.fault["field"]) == (503, "connections")
        assert refused.headers["retry-after"] == "1"
        slow.gate.set()
        assert busy.getresponse().status == 200
        busy.close()


HEAVY = {
    "tangled": tangled(1),
    "cubes": cubes(),
    "circle": circle(),
    "large": large(1),
}


@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_text_is_answered_or_refused_by_a_named_limit(name: str) -> None:
    limits = {"max_work": 20_000, "max_groundings": 5_000}
    with solving(**limits) as server:
        found = server.prove("NAa likes NAc.", rules=HEAVY[name])
        assert found.status == 422
        assert re.search(r"\(max_(work|groundings)\)", found.fault["message"])
        again = server.post("/v1/read", {"rules": HEAVY[name]})
        assert again.status in (200, 422)
        assert server.prove(QUICK).status == 200


@pytest.mark.parametrize("name", ["cubes", "circle"])
def test_groundings_alone_are_bounded(name: str) -> None:
    """Each is kept, and takes memory; there is work enough for all of them."""
    with solving(max_work=10**9, max_groundings=5_000) as server:
        found = server.prove("NAa likes NAc.", rules=HEAVY[name])
        assert (found.status, "(max_groundings)" in found.fault["message"]) == (422, True)


@pytest.mark.parametrize("name", HEAVY)
def test_small_requests_are_answered_while_a_heavy_one_is_worked_on(name: str) -> None:
    """Of another address; a queue in order of arrival would answer them last."""
    asked = {"rules": HEAVY[name], "questions": ["NAa likes NAc."] * 64}
    small = {"rules": RULES, "questions": [QUICK]}
    with solving() as server, ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(closing(connect(server, post(json.dumps(asked).encode()))))
        until(lambda: server.metric("ibr_running") + server.metric(WAITING) == 4)
        for _ in range(6):
            sent = post(json.dumps(small).encode())
            with closing(connect(server, sent, "127.0.0.2")) as connection:
                assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert server.metric("ibr_running") + server.metric(WAITING) > 0


def test_what_is_quickly_read_and_hard_to_prove_is_begun_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(responses, "_WHOLE", 1)
    with solving() as server:
        assert server.prove(QUICK, rules=RULES + "Zed is a bird.").status == 200


def test_a_long_text_is_left_to_the_solver() -> None:
    rules = "\n".join([*(f"Bob{n} is big." for n in range(50)), "Big people are kind."])
    with serving(ibr.load(), ServerLimits(max_model_words=100)) as server:
        (result,) = server.prove("Bob7 is kind.", rules=rules).json["results"]
        assert (result["verdict"], result["guess"]) == ("yes", None)
    with serving(ibr.load("ibr"), ServerLimits(max_model_words=100)) as server:
        assert "(max_model_words)" in server.prove("Bob7 is kind.", rules=rules).fault["message"]


def test_other_names_of_the_host_are_refused() -> None:
    with solving() as server:
        for name in ("localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:9", "[::1]"):
            assert server.send("GET", "/v1/examples", headers={"Host": name}).status == 200
        for name in ("evil.example", "localhost.evil.example", "", "[::2]:80"):
            refused = server.send("GET", "/v1/examples", headers={"Host": name})
            assert (refused.status, refused.fault["field"]) == (421, "Host")
            assert server.send("GET", "/healthz", headers={"Host": name}).status == 200


def test_two_names_of_the_host_are_refused() -> None:
    """A proxy may have looked at the other."""
    twice = b"GET /v1/examples HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    with solving() as server, closing(connect(server, twice)) as connection:
        assert ending(connection).startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize(
    ("address", "status"),
    [("localhost:80/v1", 200), ("[::1]:9/v1", 200), ("evil.example/v1", 421), ("[::2]/v1", 421)],
)
def test_the_host_of_an_absolute_address_counts(address: str, status: int) -> None:
    """Not the one of the header: a proxy goes by the address."""
    name = b"localhost" if status == 421 else b"evil.example"
    sent = b"GET http://%b/examples HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n"
    with solving() as server, closing(connect(server, sent % (address.encode(), name))) as one:
        assert ending(one).startswith(b"HTTP/1.1 %d " % status)


def test_a_refusal_is_not_larger_than_the_request() -> None:
    with solving() as server:
        options = {f"k{number}": 1 for number in range(15_000)}
        refused = server.prove(QUICK, **options)
        assert (refused.status, len(refused.json["detail"])) == (422, 20)


def test_a_client_is_an_address_or_a_network() -> None:
    assert client_of(("10.1.2.3", 5)) == "10.1.2.3"
    assert client_of(("::ffff:10.1.2.3", 5)) == "10.1.2.3"
    assert client_of(("2001:db8:1:2:3:4:5:6", 5)) == client_of(("2001:db8:1:2::9%eth0", 5))
    assert client_of(("2001:db8:1:3::", 5)) != client_of(("2001:db8:1:2::", 5))
    assert client_of(None) == ""
    assert client_of(("a:b", 1)) == "a:b"


def test_an_address_that_others_can_reach_is_warned_of() -> None:
    with started("--host", "0.0.0.0", "--reasoner", "solver") as (_, server, said):
        assert "warning: others can reach every address of this machine" in said
        assert server.get("/v1/examples").status == 200
    with started("--reasoner", "solver") as (_, _, said):
        assert "warning" not in said


@pytest.mark.parametrize(
    ("seconds", "share"), [(6, 0.2), pytest.param(60, 1.0, marks=pytest.mark.slow)]
)
def test_the_attack_is_survived_in_a_gigabyte(seconds: float, share: float) -> None:
    """Address space, as by `ulimit -v`: an allocation beyond it fails."""
    with started(memory=1 << 30) as (process, server, _):
        before = len([*Path(f"/proc/{process.pid}/fd").iterdir()])
        seen = asyncio.run(Attack(server.port, seconds, share).run())
        assert {kind.partition(":")[0] for kind in seen} >= {"silent", "headers", "pipelined"}
        assert not [kind for kind in seen if kind.endswith(": 500")]
        assert server.get("/healthz").status == 200
        until(lambda: server.metric("ibr_running") == server.metric("ibr_queue_waiting") == 0, 30)
        answered = server.prove("Arthur is happy.")
        assert answered.status == 200, answered.body
        assert answered.json["results"][0]["verdict"] == "yes"
        until(lambda: len([*Path(f"/proc/{process.pid}/fd").iterdir()]) <= before + 1, 30)
        assert process.poll() is None
