"""Between a route and the worker: to wait for an answer, or for events, as long as the client does

and no longer than is allowed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ibr.errors import IbrError
from ibr.logic.reading import ReadError
from ibr.serving.answers import Event
from ibr.serving.faults import Fault
from ibr.serving.guard import refusal
from ibr.serving.limits import Limits
from ibr.serving.metrics import Metrics
from ibr.serving.worker import Full, Job, Worker

LEFT = 499  # nobody sees it: the client is gone
_END: Event = ("end", {})


class Refused(Exception):
    """A request that is not answered: the status and why."""

    def __init__(self, status: int, *faults: Fault, headers: dict[str, str] | None = None) -> None:
        self.status, self.faults, self.headers = status, faults, headers

    @property
    def response(self) -> Response:
        return refusal(self.status, self.faults, self.headers)


class Desk:
    """Where requests are handed in."""

    def __init__(self, worker: Worker, limits: Limits, metrics: Metrics) -> None:
        self._worker, self._limits, self._metrics = worker, limits, metrics

    async def answer(self, request: Request, job: Job) -> Response:
        """Waits for it. Raises Refused."""
        self._hand_in(job)
        leaving = asyncio.ensure_future(_left(request))
        try:
            both: set[asyncio.Future[Any]] = {job.done, leaving}
            timeout = self._limits.request_timeout_s
            done, _ = await asyncio.wait(both, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if job.done in done:
                return Response(_result(job), media_type="application/json")
            if leaving in done:
                self._metrics.left += 1
                return Response(status_code=LEFT)
            raise self._late()
        finally:
            leaving.cancel()
            self._worker.abandon(job)

    def events(self, job: Job) -> AsyncIterator[bytes]:
        """Hands it in at once, and tells what happens as server-sent events. Raises Refused."""
        loop, told = asyncio.get_running_loop(), asyncio.Queue[Event]()
        job.tell = lambda event: _tell(loop, told, event)
        job.done.add_done_callback(lambda done: told.put_nowait(_END))
        self._hand_in(job)
        return self._stream(job, told)

    async def _stream(self, job: Job, told: asyncio.Queue[Event]) -> AsyncIterator[bytes]:
        try:
            async with asyncio.timeout(self._limits.request_timeout_s):
                while (event := await told.get()) is not _END:
                    yield _event(*event)
                _result(job)
        except TimeoutError:
            yield _error(self._late())
        except Refused as refused:
            yield _error(refused)
        except GeneratorExit:
            self._metrics.left += 1
            raise
        finally:
            self._worker.abandon(job)
        yield _event(*_END)

    def _hand_in(self, job: Job) -> None:
        try:
            self._worker.submit(job)
        except Full:
            why = Fault("queue", "too many requests wait, or the server is stopping; try again")
            raise Refused(503, why, headers={"Retry-After": "1"}) from None

    def _late(self) -> Refused:
        most = self._limits.request_timeout_s
        return Refused(504, Fault("time", f"not answered within {most:g} s (request_timeout_s)"))


def _tell(loop: asyncio.AbstractEventLoop, told: asyncio.Queue[Event], event: Event) -> None:
    """From the worker's thread."""
    loop.call_soon_threadsafe(told.put_nowait, event)


def _result(job: Job) -> bytes:
    try:
        result: bytes = job.done.result()
        return result
    except (IbrError, ReadError) as error:
        raise Refused(422, Fault("rules", str(error))) from error


async def _left(request: Request) -> None:
    """Returns when the client does not wait any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: dict[str, Any]) -> bytes:
    """JSON has no line breaks of its own, so one `data` line holds it."""
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False)}\n\n".encode()


def _error(refused: Refused) -> bytes:
    detail = [fault.to_json() for fault in refused.faults]
    return _event("error", {"status": refused.status, "detail": detail})
