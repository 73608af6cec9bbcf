"""A real server on a free port of this machine, and a client that hides nothing."""

from __future__ import annotations

import http.client
import json
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from ibr.asking.prover import Prover
from ibr.decoding.proving import SearchingReasoner
from ibr.decoding.scoring import EncodedScorer, SearchProgress
from ibr.inputs.arrays import Asked
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.serving.app import create_app
from ibr.serving.connections import Connections
from ibr.serving.limits import ServerLimits
from ibr.theory import Problem

JSON = {"Content-Type": "application/json"}
RULES = "Arthur is a bird.\nThe slow door is old.\nIf something is a bird then it is happy.\n"
QUICK, SLOW = "Arthur is happy.", "The slow door is happy."


class Slow(SearchingReasoner):
    """The solver, which takes steps over a question with "slow" in it until the gate is open."""

    def __init__(self) -> None:
        super().__init__("slow")
        self.gate = threading.Event()
        self.batches: list[int] = []
        self.count = {"begun": 0, "cancelled": 0}

    @property
    def begun(self) -> int:
        return self.count["begun"]

    @property
    def cancelled(self) -> int:
        return self.count["cancelled"]

    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        raise NotImplementedError

    def proving(self, problems: Sequence[Problem]) -> Iterator[SearchProgress]:
        self.batches.append(len(problems))
        if any("slow" in problem.question.text for problem in problems):
            yield from self.wait()
        found = SolverReasoner().prove(problems)
        yield SearchProgress((), None, predictions=dict(enumerate(found)))  # type: ignore[arg-type]

    def wait(self) -> Iterator[SearchProgress]:
        self.count["begun"] += 1
        try:
            while not self.gate.is_set():
                time.sleep(0.002)
                yield SearchProgress((), None)  # type: ignore[arg-type]
        except GeneratorExit:
            self.count["cancelled"] += 1
            raise


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def fault(self) -> Any:
        """The only one."""
        (fault,) = self.json["detail"]
        return fault


@dataclass(frozen=True)
class Served:
    port: int

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path: str) -> Reply:
        return self.send("GET", path)

    def post(self, path: str, body: Any) -> Reply:
        return self.send("POST", path, json.dumps(body).encode(), JSON)

    def prove(self, *questions: str, rules: str = RULES, **options: Any) -> Reply:
        body = {"rules": rules, "questions": questions, "options": options}
        return self.post("/v1/prove", body)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        connection = self.connect()
        try:
            chunked = body is not None and not isinstance(body, bytes)
            connection.request(method, path, body, dict(headers or {}), encode_chunked=chunked)
            return reply(connection)
        finally:
            connection.close()

    def begin(self, path: str, question: str) -> http.client.HTTPConnection:
        """Asks and does not wait for the answer."""
        connection = self.connect()
        body = json.dumps({"rules": RULES, "questions": [question]})
        connection.request("POST", path, body, JSON)
        return connection

    def events(self, *questions: str, rules: str = RULES) -> list[tuple[str, Any]]:
        reply = self.post("/v1/prove/stream", {"rules": rules, "questions": questions})
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"].startswith("text/event-stream")
        return list(parse(reply.body.decode()))

    def metric(self, name: str) -> float:
        lines = self.get("/metrics").body.decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name))

    def wait_for(self, name: str, value: float, seconds: float = 20.0) -> None:
        until(lambda: self.metric(name) == value, seconds)


def reply(connection: http.client.HTTPConnection) -> Reply:
    response = connection.getresponse()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Reply(response.status, headers, response.read())


def parse(text: str) -> Iterator[tuple[str, Any]]:
    for block in text.split("\n\n")[:-1]:
        event, data = block.split("\n")
        yield event.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


@contextmanager
def serving(
    prover: Prover, limits: ServerLimits | None = None, cors: Sequence[str] = ()
) -> Iterator[Served]:
    limits = limits or ServerLimits()
    app = create_app(prover, limits, cors)
    protocol: Any = Connections(limits).protocol
    config = uvicorn.Config(app, port=0, http=protocol, log_level="critical", lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        yield Served(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


def heeds_signals() -> None:
    """Under nohup SIGHUP is ignored, behind a shell's & SIGINT, and both are inherited."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(*options: str, memory: int = 0) -> Iterator[tuple[subprocess.Popen[str], Served, str]]:
    """`ibr serve` as people start it, its address, and what it wrote before."""
    command = [sys.executable, "-m", "ibr", "serve", "--port", "0", *options]

    def limit() -> None:
        heeds_signals()
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
    assert process.stderr is not None
    try:
        said = ""
        while not (found := re.search(r"serving on http://\S+:(\d+)/", said)):
            line = process.stderr.readline()
            assert line, said
            said += line
        yield process, Served(int(found[1])), said
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()
