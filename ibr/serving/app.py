"""The web application: routes, page and guard around one prover.

uvicorn.run(create_app(ibr.load()))
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
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
from ibr.asking.prover import Prover
from ibr.data.formats.jsonl import FieldError
from ibr.serving.bodies import Options
from ibr.serving.connections import client_of, error_response
from ibr.serving.counters import Counters
from ibr.serving.dispatch import Dispatcher
from ibr.serving.guard import LOOPBACK, Guard
from ibr.serving.limits import Fault, RequestError, ServerLimits, queue_full
from ibr.serving.routes import api, health
from ibr.serving.work.apart import AnswersApart
from ibr.serving.work.responses import Answers
from ibr.serving.work.worker import Worker

PAGE: Final = Path(__file__).parent / "page"
_EMPTY: Final = 'is empty: write a statement ("Bob is big.") or a question ("Is Bob big?")'
_MESSAGES: Final = {  # by type of pydantic's error; its own words for all others
    "missing": "is missing: add it",
    "extra_forbidden": "is not a field of this request: remove it or correct its name",
    "string_pattern_mismatch": _EMPTY,
    "string_unicode": "is not valid Unicode: it has half of a surrogate pair",
    "too_short": "is empty: give at least one",
}


def create_app(
    prover: Prover | AnswersApart,
    limits: ServerLimits | None = None,
    cors: Sequence[str] = (),
    hosts: Collection[str] = LOOPBACK,
) -> FastAPI:
    """Pages of the origins in `cors` may use the API from a browser; `hosts` are its own names.

    A prover works in a thread of this process.
    """
    limits, counters = limits or ServerLimits(), Counters()
    answers = Answers(prover, limits) if isinstance(prover, Prover) else prover
    worker = Worker(answers, limits, prepare=answers.prepare)
    counters.watch(worker)
    ready = False

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        nonlocal ready
        ready = answers.is_working()
        worker.start()
        yield
        ready = False
        worker.close(1.0)  # uvicorn has waited for the requests: the queue is empty

    app = FastAPI(
        title="ibr",
        version=__version__,
        description="Answers over facts and rules in plain English, each with a checked proof.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # else 307, which no client here expects
        lifespan=lifespan,
    )
    app.include_router(api(Dispatcher(worker, limits, counters), limits))
    app.include_router(health(counters, answers.name, lambda: ready and worker.alive))
    for error in (RequestError, RequestValidationError, HTTPException):
        app.add_exception_handler(error, _on_error)
    _add_page(app)
    _describe(app, limits)
    _add_guard(app, worker, limits, counters, hosts)
    if cors:
        methods, headers = ["GET", "POST"], ["Content-Type"]
        app.add_middleware(
            CORSMiddleware, allow_origins=cors, allow_methods=methods, allow_headers=headers
        )
    return app


def _add_guard(
    app: FastAPI,
    worker: Worker,
    limits: ServerLimits,
    counters: Counters,
    hosts: Collection[str],
) -> None:
    described = app.openapi()["paths"]
    paths = {*described, "/", "/openapi.json"}
    posted = {path for path, methods in described.items() if "post" in methods}

    def refuse(scope: Scope) -> RequestError | None:
        """503 before the body is parsed, so that refusing is cheap under load."""
        is_work = scope["method"] == "POST" and scope["path"] in posted
        return queue_full() if is_work and worker.refuses(client_of(scope["client"])) else None

    app.add_middleware(
        Guard, limits=limits, counters=counters, paths=paths, refuse=refuse, hosts=hosts
    )


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return FileResponse(PAGE / "index.html")

    app.mount("/page", StaticFiles(directory=PAGE, check_dir=False))


def _describe(app: FastAPI, limits: ServerLimits) -> None:
    """Write the limits of this server into its OpenAPI document."""
    schemas = app.openapi()["components"]["schemas"]
    for name in ("ProveBody", "CheckBody", "ReadBody"):
        schemas[name]["properties"]["rules"]["maxLength"] = limits.max_context_chars
    questions = schemas["ProveBody"]["properties"]["questions"]
    questions["maxItems"] = limits.max_questions
    proof = schemas["CheckBody"]["properties"]
    for question in (questions["items"], proof["question"]):
        question["maxLength"] = limits.max_question_chars
    proof["nodes"]["maxItems"], proof["edges"]["maxItems"] = limits.max_nodes, limits.max_edges
    beams = min(Options().beams, limits.max_beams)
    schemas["Options"]["properties"]["beams"] |= {"maximum": limits.max_beams, "default": beams}


async def _on_error(request: Request, error: Exception) -> Response:
    """Every error in the one form of `RequestError`."""
    if isinstance(error, RequestValidationError):
        error = RequestError(422, *_invalid(request, error))
    elif isinstance(error, HTTPException):
        fault = Fault("request", str(error.detail))
        if isinstance(error.__cause__, FieldError):
            error = RequestError(422, Fault(error.__cause__.field, error.__cause__.reason))
        elif error.status_code == 400:  # the framework's status for bytes that are not UTF-8
            error = RequestError(422, Fault("body", "is not JSON in UTF-8"))
        else:
            error = RequestError(error.status_code, fault, headers=dict(error.headers or {}))
    assert isinstance(error, RequestError)
    return error_response(error)


def _invalid(request: Request, error: RequestValidationError) -> list[Fault]:
    """What is wrong, where, and how to correct it."""
    sent = request.headers.get("content-type", "")
    if not sent.partition(";")[0].strip().lower().endswith(("/json", "+json")):
        found = f'is "{sent}"' if sent else "is missing"
        return [Fault("Content-Type", f"{found}: send the header Content-Type: application/json")]
    return [Fault(_field(each["loc"]), _message(each)) for each in error.errors()]


def _message(error: dict[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return f"is not JSON: {error['ctx']['error']} at character {error['loc'][-1]}"
    own: str = error["msg"].removeprefix("Value error, ")
    return _MESSAGES.get(error["type"], own)


def _field(place: Sequence[Any]) -> str:
    """("body", "questions", 2) → `questions[2]`."""
    if len(place) == 2 and isinstance(place[1], int):
        return "body"  # not JSON: the number is the position of the error
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in place[1:])
    return "".join(parts).removeprefix(".") or "body"
