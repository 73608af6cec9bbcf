"""Between a route and the worker: to wait for an answer, or for events, as long as the client does

and no longer than is allowed.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ibr.errors import IbrError
from ibr.reasoner import Unanswerable
from ibr.serving.answers import Event
from ibr.serving.faults import Fault, Refused
from ibr.serving.limits import Limits
from ibr.serving.metrics import Metrics
from ibr.serving.worker import Full, Job, Worker

LEFT: Final = 499  # nobody sees it: the client is gone
_END: Final[Event] = ("end", {})
T = TypeVar("T")


def too_busy() -> Refused:
    """What is said to whom nothing can be promised."""
    why = Fault("queue", "too many requests wait, or the server is stopping; try again")
    return Refused(503, why, headers={"Retry-After": "1"})


class _Left(Exception):
    """The client does not wait any more."""


class Desk:
    """Where requests are handed in. All of it raises Refused."""

    def __init__(self, worker: Worker, limits: Limits, metrics: Metrics) -> None:
        self._worker, self._limits, self._metrics = worker, limits, metrics

    async def answer(self, request: Request, job: Job) -> Response:
        """The answer as JSON."""
        until = self._hand_in(job)
        try:
            await self._while_there(request, _ended(job), until)
            return Response(_result(job), media_type="application/json")
        except _Left:
            return self._nobody()
        finally:
            self._worker.abandon(job)

    async def stream(self, request: Request, job: Job) -> Response:
        """What happens, as server-sent events; what fails before the first is an error as ever."""
        loop, told = asyncio.get_running_loop(), asyncio.Queue[Event]()
        job.tell = lambda event: _tell(loop, told, event)
        job.done.add_done_callback(lambda done: told.put_nowait(_END))
        until = self._hand_in(job)
        try:
            first = await self._while_there(request, told.get(), until)
            if first is _END:
                _result(job)
        except _Left:
            self._worker.abandon(job)
            return self._nobody()
        except BaseException:
            self._worker.abandon(job)
            raise
        events = self._events(job, first, told, until)
        return StreamingResponse(events, media_type="text/event-stream")

    async def _events(
        self, job: Job, event: Event, told: asyncio.Queue[Event], until: float
    ) -> AsyncIterator[bytes]:
        try:
            while event is not _END:
                yield _event(*event)
                event = await self._in_time(told.get(), until)
            _result(job)
        except Refused as refused:
            detail = [fault.to_json() for fault in refused.faults]
            yield _event("error", {"status": refused.status, "detail": detail})
        except (GeneratorExit, asyncio.CancelledError):
            self._metrics.left += 1
            raise
        finally:
            self._worker.abandon(job)
        yield _event(*_END)

    def _hand_in(self, job: Job) -> float:
        """Returns the time by which it is to be answered."""
        try:
            self._worker.submit(job)
        except Full:
            raise too_busy() from None
        return asyncio.get_running_loop().time() + self._limits.request_timeout_s

    async def _while_there(
        self, request: Request, awaited: Coroutine[Any, Any, T], until: float
    ) -> T:
        """Waits as long as the client does. Raises _Left."""
        leaving = asyncio.ensure_future(_gone(request))
        coming = asyncio.ensure_future(self._in_time(awaited, until))
        try:
            await asyncio.wait({leaving, coming}, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                return coming.result()
            raise _Left
        finally:
            leaving.cancel()
            coming.cancel()

    async def _in_time(self, awaited: Coroutine[Any, Any, T], until: float) -> T:
        try:
            async with asyncio.timeout_at(until):
                return await awaited
        except TimeoutError:
            most = f"{self._limits.request_timeout_s:g} s (request_timeout_s)"
            raise Refused(504, Fault("time", f"not answered within {most}")) from None

    def _nobody(self) -> Response:
        self._metrics.left += 1
        return Response(status_code=LEFT)


async def _ended(job: Job) -> None:
    await asyncio.wait([job.done])


async def _gone(request: Request) -> None:
    """Returns when the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _tell(loop: asyncio.AbstractEventLoop, told: asyncio.Queue[Event], event: Event) -> None:
    """From the worker's thread."""
    loop.call_soon_threadsafe(told.put_nowait, event)


def _result(job: Job) -> bytes:
    try:
        result: bytes = job.done.result()
        return result
    except Unanswerable as error:
        number = int(error.problem.id.removeprefix("q")) - 1  # as `ibr.proved` names them
        field = f"questions[{number}]" if error.field == "question" else "rules"
        raise Refused(422, Fault(field, error.why)) from error
    except IbrError as error:
        raise Refused(422, Fault("rules", str(error))) from error
    except Refused:
        raise
    except Exception as error:  # a bug: its traceback goes to the log, not to the client
        logging.getLogger("uvicorn.error").exception("internal error")
        raise Refused(500, Fault("server", f"internal error: {type(error).__name__}")) from error


def _event(name: str, data: dict[str, Any]) -> bytes:
    """JSON has no line breaks of its own, so one `data` line holds it."""
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False)}\n\n".encode()
