"""The routes: each validates its body, gives one job to the worker and returns the response."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from ibr import __version__
from ibr.data.formats.jsonl import unique_keys
from ibr.serving import bodies
from ibr.serving.bodies import CheckBody, ProveBody, ReadBody, errors
from ibr.serving.counters import CONTENT_TYPE, Counters
from ibr.serving.dispatch import Dispatcher
from ibr.serving.examples import ExampleRulebook, examples
from ibr.serving.limits import Fault, RequestError, ServerLimits, check_counts
from ibr.serving.work.queued import QueuedJob

_POSTED = errors(408, 413, 421, 422, 503, 504)
_EVENT = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"enum": ["answer", "step", "result", "error", "end"]},
        "data": {"type": "string", "description": "JSON"},
    },
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events: `answer`, `step` …, `result` for each question, then "
        "`end`; `error` if the work failed or timed out. See docs/http.md.",
        "content": {"text/event-stream": {"schema": _EVENT}},
    }
}


class _StrictRequest(Request):
    """Reads UTF-8 alone, and no key twice: `json.loads` of bytes would take UTF-16, too."""

    async def json(self) -> Any:
        text = (await self.body()).decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=unique_keys)


class _StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(_StrictRequest(request.scope, request.receive))

        return strictly


def api(dispatcher: Dispatcher, limits: ServerLimits) -> APIRouter:
    """`/v1`."""
    routes = APIRouter(prefix="/v1", route_class=_StrictRoute)

    @routes.post("/prove", response_model=bodies.ProveResponse, responses=_POSTED)
    async def prove(body: ProveBody, request: Request) -> Response:
        """Answer questions to rules, each with a checked proof."""
        return await dispatcher.answer(request, _to_prove(body, limits))

    @routes.post("/prove/stream", response_class=StreamingResponse, responses=_EVENTS | _POSTED)
    async def prove_stream(body: ProveBody, request: Request) -> Response:
        """The same as server-sent events, step by step."""
        return await dispatcher.stream(request, _to_prove(body, limits))

    @routes.post("/check", response_model=bodies.CheckResponse, responses=_POSTED)
    async def check(body: CheckBody, request: Request) -> Response:
        """Check whether a graph is a proof of the question."""
        return await dispatcher.answer(request, _to_check(body, limits))

    @routes.post("/read", response_model=bodies.ReadResponse, responses=_POSTED)
    async def read(body: ReadBody, request: Request) -> Response:
        """How each sentence is read, or why not; and questions to ask."""
        check_counts(limits, ("rules", "characters", len(body.rules), "max_context_chars"))
        return await dispatcher.answer(request, QueuedJob(None, body))

    @routes.get("/examples", response_model=list[ExampleRulebook])
    async def all_examples() -> tuple[ExampleRulebook, ...]:
        """Rulebooks to start from."""
        return examples()

    return routes


def health(counters: Counters, name: str, is_ready: Callable[[], bool]) -> APIRouter:
    """`/healthz`, `/readyz`, `/metrics`."""
    routes = APIRouter()

    @routes.get("/healthz")
    async def healthz() -> dict[str, str]:
        """The process is alive."""
        return {"status": "ok"}

    @routes.get("/readyz", responses=errors(503))
    async def readyz() -> dict[str, bool | str]:
        """The model is loaded, has proved a first question, and requests are accepted."""
        if not is_ready():
            raise RequestError(503, Fault("server", "not ready"))
        return {"ready": True, "reasoner": name, "version": __version__}

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Counters for Prometheus."""
        return Response(counters.text(), media_type=CONTENT_TYPE)

    return routes


def _to_prove(body: ProveBody, limits: ServerLimits) -> QueuedJob:
    options = body.options
    if "beams" not in options.model_fields_set:
        options.beams = min(options.beams, limits.max_beams)
    lengths = [(f"questions[{n}]", len(question)) for n, question in enumerate(body.questions)]
    check_counts(
        limits,
        ("rules", "characters", len(body.rules), "max_context_chars"),
        ("options.beams", "beams", options.beams, "max_beams"),
        ("questions", "questions", len(lengths), "max_questions"),
        *((field, "characters", length, "max_question_chars") for field, length in lengths),
    )
    return QueuedJob(("prove", options.beams), body, len(body.questions))


def _to_check(body: CheckBody, limits: ServerLimits) -> QueuedJob:
    check_counts(
        limits,
        ("rules", "characters", len(body.rules), "max_context_chars"),
        ("question", "characters", len(body.question), "max_question_chars"),
        ("nodes", "nodes", len(body.nodes), "max_nodes"),
        ("edges", "edges", len(body.edges), "max_edges"),
    )
    return QueuedJob(None, body)
