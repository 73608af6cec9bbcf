"""ASGI middleware before all routes: Host, body size and time, safe headers, counters."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ibr.serving.connections import HEALTH, MALFORMED, error_response
from ibr.serving.counters import Counters
from ibr.serving.limits import Fault, RequestError, ServerLimits

CSP: Final = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
HEADERS: Final = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Wraps the application. `refuse` may return an error before the body is parsed."""

    def __init__(
        self,
        app: ASGIApp,
        limits: ServerLimits,
        counters: Counters,
        paths: Collection[str],
        refuse: Callable[[Scope], RequestError | None],
        hosts: Collection[str] = LOOPBACK,
    ) -> None:
        self._app, self._limits, self._counters, self._paths = app, limits, counters, paths
        self._refuse, self._hosts = refuse, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def send_safely(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                is_api = scope["path"].startswith("/v1/")
                headers.setdefault("Cache-Control", "no-store" if is_api else "no-cache")
            await send(message)

        try:
            await self._guarded(scope, receive, send_safely)
        finally:
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._counters.requests.labels(path, status).inc()
            self._counters.seconds.observe(time.perf_counter() - started)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check_host(scope)
            body = await self._body(scope, receive)
        except RequestError as error:
            await error_response(error, last=True)(scope, receive, send)  # the rest is not read
            return
        if body is None:
            return  # the client left
        # The whole body was read, so the connection can be used again after a refusal.
        refused = self._refuse(scope)
        app = error_response(refused) if refused else self._app
        await app(scope, _replayed(body, receive), send)

    def _check_host(self, scope: Scope) -> None:
        """421 for a name that is not ours: a page of another site may have led a browser here."""
        sent = ", ".join(Headers(scope=scope).getlist("host"))  # two are none of ours
        name = sent.partition("]")[0].lstrip("[") if sent[:1] == "[" else sent.partition(":")[0]
        is_ours = name.lower() in self._hosts and "," not in sent
        if not is_ours and "*" not in self._hosts and scope["path"] not in HEALTH:
            message = f"{name!r} is not served here; add it with --allowed-host"
            raise RequestError(421, Fault("Host", message))

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """All of it; None if the client left. 408: it takes too long; 413: it is too large."""
        most, seconds = self._limits.max_body_bytes, self._limits.body_timeout_s
        body = bytearray()
        too_large = Fault("body", f"too many bytes; at most {most:,} (max_body_bytes)")
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length) > most:
            raise RequestError(413, too_large)
        try:
            async with asyncio.timeout(seconds):
                while (message := await receive())["type"] != "http.disconnect":
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise RequestError(413, too_large)
                    if MALFORMED in scope.get("extensions", ()):
                        raise RequestError(400, Fault("body", "is not in chunks of HTTP/1.1"))
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            late = f"did not arrive within {seconds:g} s (body_timeout_s)"
            raise RequestError(408, Fault("body", late)) from None
        return None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Receives the body in one piece, then what `receive` gives: the disconnect."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
