"""The HTTP door: every route on a real server, and what it says of each bad request."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from provers import CIRCLE, Counting, model, solver, untrained
from served import JSON, QUICK, RULES, Served, parse, serving
from shell import Run, runner

from ibr.asking.prover import Prover
from ibr.decoding.search import Scorer
from ibr.model.trained import ModelReasoner
from ibr.serving.guard import CSP
from ibr.serving.limits import ServerLimits
from ibr.theory import Problem

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parent.parent
XSS = '<script>alert(1)</script> & "quotes" </svg><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A model without any training: its proofs are poor, so the solver's are given."""
    with serving(model()) as server:
        yield server


@pytest.fixture(scope="module")
def symbolic() -> Iterator[Served]:
    with serving(solver()) as server:
        yield server


def test_prove_says_what_the_library_says(served: Served) -> None:
    questions = ["Is Arthur happy?", "Arthur is not happy.", "Arthur is old.", "Colourless ideas."]
    reply = served.prove(*questions)
    assert reply.status == 200
    expected = [result.to_json() for result in model().prove(RULES, questions)]
    assert reply.json["results"] == json.loads(json.dumps(expected))
    assert [entry["kind"] for entry in reply.json["sentences"]] == ["fact", "fact", "rule"]


def test_trace_and_pictures_are_given_when_asked_for(served: Served) -> None:
    (result,) = served.prove(QUICK, trace=True, pictures=True, beams=3).json["results"]
    assert 0 < len(result["proofs"]) <= 3
    assert len(result["pictures"]) == len(result["proofs"]) + (result["chosen"] is None)
    picture = result["pictures"][-1]
    assert picture["boxes"][0]["role"] == "question"
    keys = {box["key"] for box in picture["boxes"]}
    assert all({edge["source"], edge["target"]} <= keys for edge in picture["edges"])
    assert all(edge["path"].startswith("M") for edge in picture["edges"])
    assert picture["badge"] in ("checked and valid", "solver's proof, checked")
    (plain,) = served.prove(QUICK).json["results"]
    assert not {"proofs", "pictures"} & plain.keys()


def test_the_stream_has_answer_steps_result_and_end(served: Served) -> None:
    events = served.events("Arthur is happy.", "The slow door is old.")
    assert events[-1] == ("end", {})
    for number in (0, 1):
        mine = [(name, data) for name, data in events[:-1] if data["question"] == number]
        names = [name for name, _ in mine]
        assert names == ["answer", *["step"] * (len(mine) - 2), "result"]
        answer, result = mine[0][1], mine[-1][1]
        assert answer.keys() == {
            "question", "reading", "answer", "strategy", "confidence", "proof_probability",
        }  # fmt: skip
        steps = result["proofs"][result["chosen"] or 0]["steps"]
        assert kept(data for _, data in mine[1:-1]) == steps
        assert result["pictures"]
        assert result["text"] == ["Arthur is happy.", "The slow door is old."][number]
        assert result["checked"] == "valid"


def kept(steps: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The path that a client has: a step replaces the one of its number and all after it."""
    path: list[dict[str, Any]] = []
    for step in steps:
        assert 1 <= step["number"] <= len(path) + 1
        path = [*path[: step["number"] - 1], step]
    return [{k: v for k, v in step.items() if k not in ("question", "number")} for step in path]


def test_steps_are_streamed_while_the_search_is_under_way() -> None:
    """It goes no further until its clients have their first step; both are of one batch."""
    gates = [threading.Event(), threading.Event()]
    batches: list[int] = []

    def before(step: int) -> None:
        assert step == 0 or all(gate.wait(60) for gate in gates)

    def wrap(problems: Sequence[Problem], scorer: Scorer) -> Scorer:
        batches.append(len(problems))
        return Counting(scorer, before) if len(problems) == 3 else scorer

    def read(server: Served, gate: threading.Event, *questions: str) -> list[tuple[str, Any]]:
        connection = server.connect()
        body = json.dumps({"rules": RULES, "questions": questions})
        connection.request("POST", "/v1/prove/stream", body, JSON)
        response, text = connection.getresponse(), ""
        while chunk := response.read1():
            text += chunk.decode()
            if text.count("event: step") == len(questions):
                gate.set()
        connection.close()
        return list(parse(text))

    watched = Prover(ModelReasoner(untrained().model, wrap=wrap), verify=True)
    limits = ServerLimits(max_batch=2, batch_wait_ms=30_000, request_timeout_s=120)
    with serving(watched, limits) as server, ThreadPoolExecutor(2) as pool:
        asked = [("Arthur is happy.",), ("Arthur is old.", "Arthur is not happy.")]
        reading = [
            pool.submit(read, server, gate, *questions)
            for gate, questions in zip(gates, asked, strict=True)
        ]
        streams = [one.result(120) for one in reading]
    assert batches == [1, 3]  # the server tries itself first
    for questions, events in zip(asked, streams, strict=True):
        assert [name for name, _ in events[: len(questions)]] == ["answer"] * len(questions)
        for number, text in enumerate(questions):
            mine = [(n, d) for n, d in events[:-1] if d["question"] == number]
            result = mine[-1][1]
            assert result["text"] == text
            steps = result["proofs"][result["chosen"] or 0]["steps"]
            assert kept(data for name, data in mine if name == "step") == steps


def test_check_says_what_the_command_says(
    symbolic: Served,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    run: Run = runner(monkeypatch, capsys)
    (tmp_path / "rules.txt").write_text(RULES)
    for proof in (
        {"nodes": [0, 2], "edges": [[0, 2]]},
        {"nodes": [1, 2], "edges": [[1, 2]]},
        {"nodes": [0, 1, 2], "edges": [[0, 2]], "strategy": "proof", "answer": True},
        {"nodes": [0, 7], "edges": []},
    ):
        answer = run("check", tmp_path / "rules.txt", QUICK, "--json", stdin=json.dumps(proof)).json
        asked = {"rules": RULES, "question": QUICK, **proof}
        assert symbolic.post("/v1/check", asked).json == answer
    assert answer["status"] == "invalid"


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        ({"question": "Why?"}, "unreadable", "cannot be read"),
        ({"edges": [[0, 1]]}, "invalid", "is not a node"),
    ],
)
def test_check_judges_whatever_is_given(
    symbolic: Served, change: dict[str, Any], status: str, why: str
) -> None:
    asked = {"rules": RULES, "question": QUICK, "nodes": [0, 2], "edges": [[0, 2]], **change}
    answer = symbolic.post("/v1/check", asked)
    assert (answer.status, answer.json["status"]) == (200, status)
    assert why in answer.json["why"]


def test_a_request_may_open_the_world(symbolic: Served) -> None:
    rules = "Arthur is a bird. If something is a bird and it is not hurt then it is happy."
    proof = {"question": QUICK, "nodes": [0, 1, "NAF"], "edges": [[0, 1], ["NAF", 1]]}
    for world, verdict, answer, status in (
        ({}, "yes", True, "valid"), ({"world": "open"}, "not shown", None, "invalid")
    ):  # fmt: skip
        body = {"rules": rules, "questions": [QUICK], **world}
        (result,) = symbolic.post("/v1/prove", body).json["results"]
        assert (result["verdict"], result["answer"]) == (verdict, answer)
        checked = symbolic.post("/v1/check", {"rules": rules, **proof, **world}).json
        assert checked["status"] == status
    wrong = symbolic.post("/v1/prove", {"rules": rules, "questions": [QUICK], "world": "flat"})
    assert (wrong.status, wrong.fault["field"]) == (422, "world")


def test_read_tells_readings_and_questions_to_ask(symbolic: Served) -> None:
    answer = symbolic.post("/v1/read", {"rules": RULES + "Birds are usually happy.\n"}).json
    assert answer["sentences"][2]["reading"] == "If X is a bird then X is happy."
    assert (answer["sentences"][3]["kind"], answer["sentences"][3]["line"]) == ("unknown", 4)
    assert answer["sentences"][3]["reason"]
    assert "Arthur is happy." in answer["suggestions"]
    assert symbolic.prove(*answer["suggestions"]).status == 200
    assert symbolic.post("/v1/read", {"rules": ""}).json == {"sentences": [], "suggestions": []}


def test_examples_can_be_asked_at_once(served: Served) -> None:
    examples = served.get("/v1/examples").json
    assert len(examples) >= 6
    for example in examples:
        answer = served.prove(*example["questions"], rules=example["rules"]).json
        assert {result["checked"] for result in answer["results"]} == {"valid"}
        assert not [entry for entry in answer["sentences"] if entry["kind"] == "unknown"]


def test_health_readiness_and_numbers(served: Served) -> None:
    assert served.get("/healthz").json == {"status": "ok"}
    assert served.get("/readyz").json["reasoner"] == "verified"
    before = served.metric('ibr_requests_total{path="/v1/prove",status="200"}')
    served.prove(QUICK)
    assert served.metric('ibr_requests_total{path="/v1/prove",status="200"}') == before + 1
    text = served.get("/metrics").body.decode()
    assert 'ibr_request_seconds_bucket{le="+Inf"}' in text
    assert "ibr_queue_waiting 0.0\n" in text
    assert served.metric("ibr_clients_left_total") == 0


def test_the_description_has_examples_errors_and_this_servers_limits() -> None:
    with serving(
        solver(), ServerLimits(max_sentences=3, max_context_chars=99, max_beams=2)
    ) as server:
        document = server.get("/openapi.json").json
        posted = [p for p, methods in document["paths"].items() if "post" in methods]
        assert posted == ["/v1/prove", "/v1/prove/stream", "/v1/check", "/v1/read"]
        for path in posted:
            answers = document["paths"][path]["post"]["responses"]
            assert {"200", "408", "413", "422", "503", "504"} <= answers.keys()
        schemas = document["components"]["schemas"]
        verdicts = ["yes", "no", "not shown", "contradictory", "cannot say"]
        assert schemas["Verdict"]["enum"] == verdicts
        assert schemas["ProveBody"]["properties"]["rules"]["maxLength"] == 99
        assert schemas["ProveBody"]["properties"]["rules"]["examples"]
        assert schemas["Options"]["properties"]["beams"]["maximum"] == 2
        assert (
            server.prove(QUICK).status == 200
        )  # 8 beams are not asked for, only allowed elsewhere
        assert server.prove(QUICK, beams=3).fault["field"] == "options.beams"


def test_the_documented_limits_are_the_limits() -> None:
    text = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| `--([a-z-]+)` \| ([\d.]+) \|", text, re.MULTILINE))
    kept = {each.name.replace("_", "-"): f"{each.default:.10g}" for each in fields(ServerLimits)}
    assert documented == kept


def test_the_page_is_served_with_a_strict_policy_and_nothing_beside_it(served: Served) -> None:
    page = served.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for path in ("/", "/healthz", "/v1/examples", "/nothing", "/page/nothing.js"):
        headers = served.get(path).headers
        assert headers["content-security-policy"] == CSP
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
    for path in ("/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/docs", "/redoc"):
        assert served.get(path).status == 404
    assert served.get("/nothing").fault["message"] == "Not Found"
    assert served.send("PUT", "/v1/prove").status == 405


def test_other_origins_are_let_in_only_by_name() -> None:
    with serving(solver(), cors=["https://example.org"]) as server:
        asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
        allowed = server.send("OPTIONS", "/v1/prove", headers=asked)
        assert allowed.headers["access-control-allow-origin"] == "https://example.org"
        other = server.send("OPTIONS", "/v1/prove", headers=asked | {"Origin": "https://evil.org"})
        assert "access-control-allow-origin" not in other.headers


def test_text_comes_back_as_text_and_only_in_json(served: Served) -> None:
    rules = f"{XSS} is big.\n{RULES}"
    for path in ("/v1/prove", "/v1/prove/stream"):
        reply = served.post(path, {"rules": rules, "questions": [XSS]})
        assert reply.status == 200
        assert reply.headers["content-type"].split(";")[0] in (
            "application/json",
            "text/event-stream",
        )
        assert reply.headers["cache-control"] == "no-store"
    assert served.prove(XSS, rules=rules).json["results"][0]["question"] == XSS
    odd = "\u2028\x00\x1b[31m\u202e\ud83d\ude00"
    assert served.prove(f"Arthur is {odd}", rules=f"{odd}\ud800\n{RULES}").status == 200


BODY = {"rules": RULES, "questions": [QUICK]}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"rules": None}, "rules"),
        ({"rules": 7}, "rules"),
        ({"questions": []}, "questions"),
        ({"questions": QUICK}, "questions"),
        ({"questions": [QUICK, 7]}, "questions[1]"),
        ({"questions": [QUICK, " \n"]}, "questions[1]"),
        ({"questions": [QUICK] * 65}, "questions"),
        ({"questions": [QUICK, "x" * 501]}, "questions[1]"),
        ({"rules": "x" * 20_001}, "rules"),
        ({"questions": ["a \ud800"]}, "questions[0]"),
        ({"options": {"beams": 9}}, "options.beams"),
        ({"options": {"beams": 0}}, "options.beams"),
        ({"options": {"beams": "8"}}, "options.beams"),
        ({"options": {"beams": True}}, "options.beams"),
        ({"options": {"trace": 1}}, "options.trace"),
        ({"options": {"speed": 9}}, "options.speed"),
        ({"question": QUICK}, "question"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/prove", "/v1/prove/stream"])
def test_a_bad_field_is_named(symbolic: Served, path: str, change: Any, field: str) -> None:
    reply = symbolic.post(path, BODY | change)
    assert reply.status == 422
    assert reply.fault["field"] == field
    assert reply.fault["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"rules": NaN, "questions": []}',
        gzip.compress(json.dumps(BODY).encode()),
    ],
    ids=["empty", "broken", "list", "null", "bytes", "deep", "nan", "gzip"],
)
def test_what_is_not_the_right_json_is_refused(symbolic: Served, body: bytes) -> None:
    reply = symbolic.send("POST", "/v1/prove", body, JSON)
    assert reply.status == 422
    assert reply.json["detail"]


def test_a_body_must_say_that_it_is_json(symbolic: Served) -> None:
    """Else any web page could post to a server on this machine without being asked."""
    body = json.dumps(BODY).encode()
    plain = symbolic.send("POST", "/v1/prove", body, {"Content-Type": "text/plain"})
    without = symbolic.send("POST", "/v1/prove", body)
    advice = "send the header Content-Type: application/json"
    for reply, found in ((plain, 'is "text/plain"'), (without, "is missing")):
        assert reply.status == 422
        assert reply.fault["field"] == "Content-Type"
        assert reply.fault["message"] == f"{found}: {advice}"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"questions": [""]}, "is empty: write a statement"),
        ({"questions": [" \n"]}, "is empty: write a statement"),
        ({"questions": []}, "is empty: give at least one"),
        ({"question": QUICK}, "is not a field of this request: remove it"),
        ({"questions": ["a \ud800"]}, "is not valid Unicode"),
    ],
)
def test_a_message_says_what_is_wrong_and_how_to_correct_it(
    symbolic: Served, change: Any, words: str
) -> None:
    assert words in symbolic.post("/v1/prove", BODY | change).fault["message"]


def test_messages_for_a_missing_field_and_broken_json(symbolic: Served) -> None:
    fault = symbolic.post("/v1/prove", {"questions": [QUICK]}).fault
    assert (fault["field"], fault["message"]) == ("rules", "is missing: add it")
    broken = symbolic.send("POST", "/v1/prove", b'{"rules": ', JSON).fault
    assert broken["field"] == "body"
    assert broken["message"].startswith("is not JSON: ")


def test_too_many_sentences_are_refused_by_number_and_line(symbolic: Served) -> None:
    rules = "# Facts\n" + "\n".join(f"Bob{n} is big." for n in range(201))
    for path in ("/v1/prove", "/v1/prove/stream"):
        fault = symbolic.post(path, {"rules": rules, "questions": [QUICK]}).fault
        assert (fault["field"], fault["sentence"], fault["line"]) == ("rules", 200, 202)
        assert "201 sentences; at most 200 (max_sentences)" in fault["message"]
    assert symbolic.post("/v1/read", {"rules": rules}).status == 422
    proof = {"rules": rules, "question": QUICK, "nodes": [0], "edges": []}
    assert symbolic.post("/v1/check", proof).status == 422
    assert symbolic.post("/v1/check", proof | {"rules": RULES, "nodes": [0] * 202}).status == 422
    assert symbolic.prove("Bob7 is big.", rules=rules.rsplit("\n", 1)[0]).status == 200


def test_what_the_solver_cannot_use_is_a_verdict_not_an_error(symbolic: Served) -> None:
    (known, unread) = symbolic.prove(QUICK, "Why?").json["results"]
    assert (known["verdict"], unread["verdict"], unread["answer"]) == ("yes", "cannot say", None)
    assert unread["obstacle"]["kind"] == "question"
    (circle,) = symbolic.prove("Bob is big.", rules=CIRCLE).json["results"]
    assert (circle["verdict"], circle["obstacle"]["kind"]) == ("cannot say", "circle")


@pytest.mark.parametrize(
    ("rules", "question", "verdict", "answer"),
    [
        (RULES, QUICK, "yes", True),
        ("Lee is a visitor. Visitors may not sing.", "Lee may sing.", "no", False),
        (RULES, "Arthur is old.", "not shown", False),
        (RULES, "Arthur is not old.", "not shown", True),
        ("Bob is late. Bob is not late.", "Bob is late.", "contradictory", True),
        (RULES + "Cats usually chase mice.", QUICK, "yes", True),
        (RULES + "Cats usually chase mice.", "Arthur is old.", "not shown", False),
        (RULES + "Birds are usually old.", "Arthur is old.", "cannot say", None),
    ],
)
@pytest.mark.parametrize("path", ["/v1/prove", "/v1/prove/stream"])
def test_the_five_verdicts(
    served: Served, path: str, rules: str, question: str, verdict: str, answer: bool | None
) -> None:
    reply = served.post(path, {"rules": rules, "questions": [question]})
    if path == "/v1/prove":
        (result,) = reply.json["results"]
    else:
        result = dict(parse(reply.body.decode()))["result"]
    assert result["verdict"] == verdict
    assert result["checked"] == ("unreadable" if verdict == "cannot say" else "valid")
    assert (result["contrary"] is not None) == (verdict == "contradictory")
    assert (result["obstacle"] is not None) == (verdict == "cannot say")
    if verdict == "cannot say":
        assert result["obstacle"]["text"] == "Birds are usually old."
        assert result["guess"]["answer"] is result["answer"]
    else:
        assert result["answer"] is answer


SMALL = ServerLimits(max_body_bytes=2_000)


def test_a_body_that_is_too_large_is_refused_before_it_is_read() -> None:
    with serving(solver(), SMALL) as server:
        connection = server.connect()
        connection.putrequest("POST", "/v1/prove")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", "2001")
        connection.endheaders()  # and nothing else: the answer comes all the same
        response = connection.getresponse()
        assert response.status == 413
        assert json.loads(response.read())["detail"][0]["field"] == "body"
        connection.close()
        body = json.dumps(BODY).encode()
        assert server.send("POST", "/v1/prove", body.ljust(2000), JSON).status == 200
        assert server.send("POST", "/v1/prove", body.ljust(2001), JSON).status == 413


def test_a_body_without_a_length_is_counted_as_it_comes() -> None:
    sent = 0

    def pieces(count: int) -> Iterator[bytes]:
        nonlocal sent
        for _ in range(count):
            sent += 1
            yield b" " * 100

    with serving(solver(), SMALL) as server:
        chunked = JSON | {"Transfer-Encoding": "chunked"}
        good = iter([b" " * 500, json.dumps(BODY).encode(), b" " * 500])
        assert server.send("POST", "/v1/prove", good, chunked).status == 200
        assert server.send("POST", "/v1/prove", pieces(21), chunked).status == 413
        assert sent == 21
        with pytest.raises(OSError):  # noqa: PT011  # it is cut off long before it has sent all
            server.send("POST", "/v1/prove", pieces(10**9), chunked)
        assert sent < 10**7


def test_a_body_that_does_not_arrive_is_not_waited_for() -> None:
    with serving(solver(), ServerLimits(request_timeout_s=0.3)) as server:
        connection = server.connect()
        connection.putrequest("POST", "/v1/prove")
        connection.putheader("Content-Length", "100")
        connection.endheaders()
        response = connection.getresponse()
        assert response.status == 408
        connection.close()
