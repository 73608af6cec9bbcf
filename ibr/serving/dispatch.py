"""Between a route and the worker: waits for a result or for events until the request times out.

If the client leaves or the time is over, the job is cancelled.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ibr.serving.connections import client_of
from ibr.serving.counters import Counters
from ibr.serving.limits import Fault, RequestError, ServerLimits, internal_error, queue_full
from ibr.serving.work.queued import QueuedJob, QueueFull
from ibr.serving.work.responses import Event
from ibr.serving.work.worker import Worker

_END: Final[Event] = ("end", {})
_SECONDS: Final = 2e-5  # to read a character, as a first estimate
T = TypeVar("T")


class Dispatcher:
    """Hands jobs to the worker. Its methods raise RequestError."""

    def __init__(self, worker: Worker, limits: ServerLimits, counters: Counters) -> None:
        self._worker, self._limits, self._counters = worker, limits, counters

    async def answer(self, request: Request, job: QueuedJob) -> Response:
        """The result as JSON."""
        until = self._submit(request, job)
        try:
            await self._unless_left(request, asyncio.wait([job.done]), until)
            return Response(_result(job), media_type="application/json")
        finally:
            self._worker.cancel(job)

    async def stream(self, request: Request, job: QueuedJob) -> Response:
        """The events as server-sent events; an error before the first is an ordinary response."""
        loop, events = asyncio.get_running_loop(), asyncio.Queue[Event]()
        job.send = lambda event: loop.call_soon_threadsafe(events.put_nowait, event)
        until = self._submit(request, job)
        job.done.add_done_callback(lambda done: events.put_nowait(_END))
        try:
            first = await self._unless_left(request, events.get(), until)
            if first is _END:
                _result(job)
        except BaseException:
            self._worker.cancel(job)
            raise
        sent = self._sent(job, first, events, until)
        return StreamingResponse(sent, media_type="text/event-stream")

    async def _sent(
        self, job: QueuedJob, event: Event, events: asyncio.Queue[Event], until: float
    ) -> AsyncIterator[bytes]:
        try:
            while event is not _END:
                yield _as_bytes(*event)
                event = await self._in_time(events.get(), until)
            _result(job)
        except RequestError as error:
            yield _as_bytes("error", {"status": error.status} | error.to_json())
        except (GeneratorExit, asyncio.CancelledError):
            self._counters.left.inc()
            raise
        finally:
            self._worker.cancel(job)
        yield _as_bytes(*_END)

    def _submit(self, request: Request, job: QueuedJob) -> float:
        """Returns the time by which the result must be there."""
        job.client = client_of(request.scope["client"])
        job.estimate = _SECONDS * len(job.request.rules)
        try:
            self._worker.submit(job)
        except QueueFull:
            raise queue_full() from None
        return asyncio.get_running_loop().time() + self._limits.request_timeout_s

    async def _unless_left(
        self, request: Request, awaited: Coroutine[Any, Any, T], until: float
    ) -> T:
        """Await until the time is over or the client disconnects."""
        leaving = asyncio.ensure_future(_disconnected(request))
        coming = asyncio.ensure_future(self._in_time(awaited, until))
        try:
            await asyncio.wait({leaving, coming}, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                return coming.result()
            self._counters.left.inc()
            raise RequestError(499, Fault("client", "left"))  # for the counters only
        finally:
            leaving.cancel()
            coming.cancel()

    async def _in_time(self, awaited: Coroutine[Any, Any, T], until: float) -> T:
        try:
            async with asyncio.timeout_at(until):
                return await awaited
        except TimeoutError:
            most = f"{self._limits.request_timeout_s:g} s (request_timeout_s)"
            raise RequestError(504, Fault("time", f"not answered within {most}")) from None


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _result(job: QueuedJob) -> bytes:
    """The response body, or a RequestError."""
    try:
        result: bytes = job.done.result()
        return result
    except RequestError:
        raise
    except QueueFull:  # it gave its place to another client
        raise queue_full() from None
    except Exception as error:
        raise internal_error(error) from error


def _as_bytes(name: str, data: dict[str, Any]) -> bytes:
    """A server-sent event. `json.dumps` writes one line, so one `data` line holds it."""
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False)}\n\n".encode()
