"""The routes: each reads its body, hands one job to the worker and sends what comes back."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from ibr import __version__
from ibr.serving import bodies
from ibr.serving.answers import ToCheck, ToProve, ToRead
from ibr.serving.asking import Desk
from ibr.serving.bodies import CheckBody, ProveBody, ReadBody, errors
from ibr.serving.examples import examples
from ibr.serving.faults import (
    Fault,
    Refused,
    fault_of_question,
    fault_of_rules,
    faults_of_questions,
    most_nodes,
)
from ibr.serving.limits import Limits
from ibr.serving.metrics import CONTENT_TYPE, Metrics
from ibr.serving.worker import Job

_POSTED = errors(408, 413, 422, 503, 504)
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `answer`, `step` …, `result` for each question, then "
        "`end`; `error` where it could not be finished. See docs/http.md.",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "object",
                    "required": ["event", "data"],
                    "properties": {
                        "event": {"enum": ["answer", "step", "result", "error", "end"]},
                        "data": {"type": "string", "description": "JSON"},
                    },
                },
            }
        },
    }
}


def router(desk: Desk, limits: Limits) -> APIRouter:
    """`/v1`."""
    routes = APIRouter(prefix="/v1")

    @routes.post("/prove", response_model=bodies.ProveAnswer, responses=_POSTED)
    async def prove(body: ProveBody, request: Request) -> Response:
        """Answer questions to rules, each with a proof that was checked."""
        return await desk.answer(request, _to_prove(body, limits, stream=False))

    @routes.post("/prove/stream", response_class=StreamingResponse, responses=_EVENTS | _POSTED)
    async def prove_stream(body: ProveBody, request: Request) -> Response:
        """The same, told step by step as server-sent events."""
        return await desk.stream(request, _to_prove(body, limits, stream=True))

    @routes.post("/check", response_model=bodies.CheckAnswer, responses=_POSTED)
    async def check(body: CheckBody, request: Request) -> Response:
        """Say whether a graph is a proof of the question."""
        found = fault_of_question(body.question, limits)
        _refuse(Fault("question", found) if found else None, *_large(body, limits))
        edges = tuple((edge[0], edge[1]) for edge in body.edges)
        asked = ToCheck(
            body.rules, body.question, tuple(body.nodes), edges, body.strategy, body.answer
        )
        return await desk.answer(request, Job(None, asked))

    @routes.post("/read", response_model=bodies.ReadAnswer, responses=_POSTED)
    async def read(body: ReadBody, request: Request) -> Response:
        """How each sentence is understood, or why not and a rewrite; and questions to ask."""
        _refuse(fault_of_rules(body.rules, limits))
        return await desk.answer(request, Job(None, ToRead(body.rules)))

    @routes.get("/examples", response_model=list[bodies.Example])
    async def all_examples() -> Response:
        """Rulebooks to start from."""
        return JSONResponse([example.to_json() for example in examples()])

    return routes


def health(metrics: Metrics, name: str, is_ready: Any) -> APIRouter:
    """`/healthz`, `/readyz`, `/metrics`."""
    routes = APIRouter()

    @routes.get("/healthz", response_model=bodies.Health)
    async def healthz() -> Response:
        """The process is alive."""
        return JSONResponse({"status": "ok"})

    @routes.get("/readyz", response_model=bodies.Ready, responses=errors(503))
    async def readyz() -> Response:
        """The model is loaded, has proved something, and requests are taken."""
        if not is_ready():
            raise Refused(503, Fault("server", "not ready"), headers={"Retry-After": "1"})
        return JSONResponse({"ready": True, "reasoner": name, "version": __version__})

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def numbers() -> Response:
        """Counts for Prometheus."""
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    return routes


def _to_prove(body: ProveBody, limits: Limits, stream: bool) -> Job:
    options = body.options
    is_said = "beams" in options.model_fields_set
    beams = options.beams if is_said else min(options.beams, limits.max_beams)
    faults = [*faults_of_questions(body.questions, limits), fault_of_rules(body.rules, limits)]
    if beams > limits.max_beams:
        most = f"at most {limits.max_beams} (max_beams)"
        faults.append(Fault("options.beams", f"{beams} beams; {most}"))
    _refuse(*faults)
    asked = ToProve(
        body.rules, tuple(body.questions), beams, options.trace, options.pictures, stream
    )
    return Job(("prove", beams), asked, len(body.questions))


def _large(body: CheckBody, limits: Limits) -> list[Fault | None]:
    most, faults = most_nodes(limits), [fault_of_rules(body.rules, limits)]
    for name, count, bound in (
        ("nodes", len(body.nodes), most),
        ("edges", len(body.edges), most**2),
    ):
        if count > bound:
            faults.append(Fault(name, f"{count:,}; at most {bound:,}"))
    return faults


def _refuse(*faults: Fault | None) -> None:
    found = [fault for fault in faults if fault]
    if found:
        raise Refused(422, *found)
