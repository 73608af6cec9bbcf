"""What stands before every route: the size of the body, the time it takes, the headers that keep

a browser safe, and the count of what was answered. Plain ASGI; it knows no route.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ibr.serving.faults import Fault, Refused
from ibr.serving.limits import Limits
from ibr.serving.metrics import Metrics

CSP: Final = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def refusal(refused: Refused) -> Response:
    """`{"detail": [{"field", "sentence", "line", "message"}]}`, the one form of every error."""
    body = json.dumps({"detail": [fault.to_json() for fault in refused.faults]})
    return Response(body, refused.status, refused.headers, media_type="application/json")


class Guard:
    """Around the whole application. `refused` says of a request that it need not be looked at."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        metrics: Metrics,
        paths: Collection[str],
        refused: Callable[[Scope], Refused | None],
    ) -> None:
        self._app, self._limits, self._metrics, self._paths = app, limits, metrics, paths
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                answers = scope["path"].startswith("/v1/")
                kept = "no-store" if answers else "no-cache"  # the page's parts fit each other
                headers.setdefault("Cache-Control", kept)
            await send(message)

        try:
            await self._guarded(scope, receive, sent)
        finally:
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._metrics.requests[path, status] += 1
            self._metrics.seconds.add(time.perf_counter() - started)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._limits.request_timeout_s):
                body = await self._body(scope, receive)
        except TimeoutError:
            response = refusal(Refused(408, Fault("body", "it did not arrive in time")))
        else:
            if body is None:
                return  # nobody is there any more
            if len(body) <= self._limits.max_body_bytes:
                # All of the body is here, so the connection can be used again, whatever is said.
                refused = self._refused(scope)
                app = refusal(refused) if refused else self._app
                await app(scope, _again(body, receive), send)
                return
            most = f"at most {self._limits.max_body_bytes:,} (max_body_bytes)"
            response = refusal(Refused(413, Fault("body", f"too many bytes; {most}")))
        response.headers["Connection"] = "close"  # what else arrives is not read
        await response(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """All of it, or a little more than is allowed; None if the client left."""
        most, body = self._limits.max_body_bytes, bytearray()
        said = Headers(scope=scope).get("content-length", "")
        if said.isdecimal() and int(said) > most:
            return bytes(most + 1)
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > most or not message.get("more_body", False):
                return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """The body in one piece, then whatever comes: that the client left."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
