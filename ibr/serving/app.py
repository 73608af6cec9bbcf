"""The web application: routes, page and guard put together around one prover.

uvicorn.run(create_app(ibr.load()))
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ibr import __version__
from ibr.doctor import QUESTION, RULES
from ibr.prover import Prover
from ibr.serving.answers import Answers
from ibr.serving.asking import Desk, too_busy
from ibr.serving.bodies import Options
from ibr.serving.faults import Fault, Refused, most_nodes
from ibr.serving.guard import Guard, refusal
from ibr.serving.limits import Limits
from ibr.serving.metrics import Metrics
from ibr.serving.routes import health, router
from ibr.serving.worker import Worker

PAGE: Final = Path(__file__).parent / "page"
_WEIGHT: Final = 64  # questions that are searched together: beyond it, nothing is gained


def create_app(prover: Prover, limits: Limits | None = None, cors: Sequence[str] = ()) -> FastAPI:
    """Any `Prover` will do. Pages of the origins in `cors` may use the API from a browser."""
    limits, metrics = limits or Limits(), Metrics()
    prover.max_steps = limits.max_steps
    wait = limits.batch_wait_ms / 1000
    most = limits.max_queue, limits.max_batch, _WEIGHT
    worker = Worker(Answers(prover, limits), *most, wait, limits.max_wait_s)
    worker.on_batch = metrics.on_batch
    metrics.gauges = [
        ("ibr_queue_waiting", "Requests that wait for the worker.", lambda: worker.waiting),
        ("ibr_running", "Requests that the worker works on.", lambda: worker.running),
        ("ibr_expected_seconds", "Of work accepted, by the last batches.", lambda: worker.expected),
    ]

    ready = False

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        nonlocal ready
        ready = prover.prove(RULES, QUESTION).proved  # the first one also loads what is lazy
        worker.start()
        yield
        ready = False
        worker.close(1.0)  # uvicorn has waited for the requests: nothing is left to do

    app = FastAPI(
        title="ibr",
        version=__version__,
        description="Answers over facts and rules in plain English, each with a checked proof.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    desk = Desk(worker, limits, metrics)
    app.include_router(router(desk, limits))
    app.include_router(health(metrics, prover.name, lambda: ready and worker.alive))
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _not_there)
    _add_page(app)
    _describe(app, limits)
    described = app.openapi()["paths"]
    paths, posted = {*described, "/", "/openapi.json"}, _posted(described)

    def refused(scope: Scope) -> Refused | None:
        """Before the body is parsed: to refuse must cost little when there is much to refuse."""
        is_work = scope["method"] == "POST" and scope["path"] in posted
        return too_busy() if is_work and worker.is_full else None

    app.add_middleware(Guard, limits=limits, metrics=metrics, paths=paths, refused=refused)
    if cors:
        headers = ["Content-Type"]
        methods = ["GET", "POST"]
        app.add_middleware(
            CORSMiddleware, allow_origins=cors, allow_methods=methods, allow_headers=headers
        )
    return app


def _posted(described: Mapping[str, Any]) -> set[str]:
    return {path for path, methods in described.items() if "post" in methods}


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return FileResponse(PAGE / "index.html")

    app.mount("/page", StaticFiles(directory=PAGE, check_dir=False))


def _describe(app: FastAPI, limits: Limits) -> None:
    """The limits of this very server, in its own OpenAPI document."""
    document = app.openapi()
    schemas = document["components"]["schemas"]
    for name in ("ProveBody", "CheckBody", "ReadBody"):
        schemas[name]["properties"]["rules"]["maxLength"] = limits.max_context_chars
    questions = schemas["ProveBody"]["properties"]["questions"]
    questions["maxItems"] = limits.max_questions
    for question in (questions["items"], schemas["CheckBody"]["properties"]["question"]):
        question["maxLength"] = limits.max_question_chars
    proof, nodes = schemas["CheckBody"]["properties"], most_nodes(limits)
    proof["nodes"]["maxItems"], proof["edges"]["maxItems"] = nodes, nodes**2
    most = {"maximum": limits.max_beams, "default": min(Options().beams, limits.max_beams)}
    schemas["Options"]["properties"]["beams"] |= most


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error)


async def _not_valid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [Fault(_field(e["loc"]), e["msg"]) for e in error.errors()]
    return refusal(Refused(422, *faults))


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # the framework's word for bytes that are no text
        return refusal(Refused(422, Fault("body", "it is not JSON in UTF-8")))
    headers = dict(error.headers) if error.headers else None
    return refusal(Refused(error.status_code, Fault("request", str(error.detail)), headers=headers))


def _field(place: Sequence[Any]) -> str:
    """("body", "questions", 2) → `questions[2]`."""
    if len(place) == 2 and isinstance(place[1], int):
        return "body"  # not JSON at all: the number is where it stops being so
    name = ""
    for part in place[1:]:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else str(part)
    return name or "body"
