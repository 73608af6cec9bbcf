"""HTTP/1.1 connections with bounds: how many, how long they may be silent, how much they send.

uvicorn's protocol parses and answers; this subclass refuses. When all places are taken, a new
connection gets that of the one that has been silent longest. If every one is being answered, a few
more are let in, for health checks alone.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from ipaddress import IPv6Address
from typing import Any, Final

from httptools import HttpParserError, HttpParserUpgrade
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from ibr.serving.limits import Fault, RequestError, ServerLimits

HEALTH: Final = frozenset({"/healthz", "/readyz"})
MALFORMED: Final = "ibr.malformed"  # of a scope: the body is no body of HTTP/1.1
_WHOLE: Final = re.compile(rb"[^/?#]*://(?:[^/?#@]*@)?([^/?#]*)")  # an address with its host
_RESERVE: Final = 8  # connections beyond the limit, for health checks
_TOO_MANY: Final = "connections", "too many connections; try again later"
_CLOSE: Final = {"Connection": "close"}
_SWEEP: Final = 0.25  # seconds between two looks at the clocks


class Connections:
    """The open connections of one server. Called in the event loop's thread only."""

    def __init__(self, limits: ServerLimits, proxies: frozenset[str] = frozenset()) -> None:
        self.limits = limits
        self._proxies = proxies  # whose connections belong to many clients
        self._open: dict[BoundedProtocol, None] = {}  # silent for longest first
        self._by_client = Counter[str]()
        self._sweeping: asyncio.TimerHandle | None = None

    def protocol(self, *arguments: Any, **named: Any) -> BoundedProtocol:
        """For `uvicorn.Config(http=…)`."""
        return BoundedProtocol(self, *arguments, **named)

    def admit(self, new: BoundedProtocol) -> bool:
        """Whether it may stay; it may be one for health checks only."""
        limits = self.limits
        is_many = self._by_client[new.address] >= limits.max_client_connections
        if is_many and new.address not in self._proxies and not self._evict(of=new.address):
            return False
        if len(self._open) >= limits.max_connections and not self._evict():
            if len(self._open) >= limits.max_connections + _RESERVE:
                return False
            new.is_reserve = True
        self._open[new] = None
        self._by_client[new.address] += 1
        if self._sweeping is None:
            self._sweeping = new.loop.call_later(_SWEEP, self._sweep, new.loop)
        return True

    def touch(self, one: BoundedProtocol) -> None:
        """It has sent something, or its answer is complete."""
        if self._open.pop(one, self) is None:
            self._open[one] = None

    def discard(self, old: BoundedProtocol) -> None:
        if old in self._open:
            del self._open[old]
            self._by_client[old.address] -= 1
            if not self._by_client[old.address]:
                del self._by_client[old.address]

    def _evict(self, of: str | None = None) -> bool:
        """Close the connection that has been silent longest, if one is."""
        silent = (c for c in self._open if of in (None, c.address) and c.is_silent)
        oldest = next(silent, None)
        if oldest is not None:
            oldest.transport.abort()
            self.discard(oldest)
        return oldest is not None

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        for connection in [*self._open]:
            connection.check_clock(now)
        again = bool(self._open)
        self._sweeping = loop.call_later(_SWEEP, self._sweep, loop) if again else None


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(self, connections: Connections, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._all, self._limits = connections, connections.limits
        self.address, self.is_reserve = "", False
        self.since = time.monotonic()  # of the last byte, or of the last answer
        self._begun: float | None = None  # when the headers began that are not complete
        self._stalled: float | None = None  # since when the client reads nothing
        self._header_bytes = self._header_count = 0
        self._answered: RequestResponseCycle | None = None

    @property
    def is_silent(self) -> bool:
        """No request that has arrived is being answered."""
        return self._is_idle or (not self.pipeline and self.cycle.more_body)

    @property
    def _is_idle(self) -> bool:
        """No request is being answered or receives its body."""
        return self.cycle is None or (self.cycle.response_complete and not self.pipeline)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = client_of(self.client)
        if not self._all.admit(self):
            self._refuse(503, *_TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.discard(self)
        answered = self._answered  # of pipelined requests, the base class looks at the last alone
        if answered is not None and not answered.response_complete:
            answered.disconnected = True
            answered.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        self._touch()
        most = self._limits.max_header_bytes
        for start in range(0, len(data), most):  # a header may come without an end
            if self.transport.is_closing():
                return
            unfinished = self._begun
            piece = data[start : start + most]
            self._feed(piece)
            if unfinished is not None and unfinished == self._begun:
                self._header_bytes += len(piece)
                if self._header_bytes > most:
                    self._refuse(431, "headers", f"at most {most:,} bytes (max_header_bytes)")

    def _touch(self) -> None:
        self.since = time.monotonic()
        self._all.touch(self)

    def _feed(self, data: bytes) -> None:
        """As in the base class, which writes a line to the log for each malformed request."""
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade:
            return  # answered as if it had not asked
        except HttpParserError:
            if self._is_idle or self.pipeline or not self.cycle.more_body:
                self._refuse(400, "request", "is not HTTP/1.1")
                return
            self.scope["extensions"] = {MALFORMED: {}}  # the application answers, and closes
            self.cycle.more_body = False
            self.cycle.message_event.set()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begun, self._header_bytes, self._header_count = time.monotonic(), 0, 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count_header(len(url), 0)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._count_header(len(name) + len(value), 1)

    def _count_header(self, size: int, count: int) -> None:
        self._header_bytes += size
        self._header_count += count
        counts = {"max_header_bytes": self._header_bytes, "max_headers": self._header_count}
        for name, found in counts.items():
            if found > (most := getattr(self._limits, name)):
                self._refuse(431, "headers", f"at most {most:,} ({name})")
                raise HttpParserError(name)

    def on_headers_complete(self) -> None:
        self._begun = None
        if not self._is_idle and len(self.pipeline) >= self._limits.max_pipelined:
            self.transport.abort()  # an answer here would be taken for that of another request
            raise HttpParserError("max_pipelined")
        if self.is_reserve:
            self.app = _health_alone(self.config.loaded_app)
        whole = _WHOLE.match(self.url)
        if whole:  # the host of the address counts, not that of the header
            others = [header for header in self.headers if header[0] != b"host"]
            self.headers[:] = [*others, (b"host", whole[1])]
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self._touch()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self._stalled = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stalled = None
        super().resume_writing()

    def check_clock(self, now: float) -> None:
        """Close the connection if its time is over."""
        limits = self._limits
        if self._stalled is not None and now - self._stalled > limits.send_timeout_s:
            self.transport.abort()
        elif not self._is_idle:
            return  # the time for a body and for the work are those of the application
        elif self._begun is not None and now - self._begun > limits.header_timeout_s:
            message = f"did not arrive within {limits.header_timeout_s:g} s (header_timeout_s)"
            self._refuse(408, "headers", message)
        elif self._begun is None and now - self.since > limits.idle_timeout_s:
            self.transport.close()

    def _refuse(self, status: int, field: str, message: str) -> None:
        """Answer with an error and close; only close if an earlier answer is not complete."""
        if self.transport.is_closing():
            return
        if self._is_idle:
            answer = error_response(RequestError(status, Fault(field, message)), last=True)
            head = b"".join(b"%b: %b\r\n" % header for header in answer.raw_headers)
            self.transport.write(STATUS_LINE[status] + head + b"\r\n" + bytes(answer.body))
        self.transport.close()


def client_of(client: tuple[str, int] | None) -> str:
    """The address that turns and limits count by; of IPv6 the network, which one client has."""
    host = client[0] if client else ""
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def error_response(error: RequestError, last: bool = False) -> Response:
    """`last`: the connection is closed after it."""
    headers, body = error.headers | _CLOSE if last else error.headers, json.dumps(error.to_json())
    return Response(body, error.status, headers, media_type="application/json")


def _health_alone(app: Any) -> Any:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        busy = error_response(RequestError(503, Fault(*_TOO_MANY)), last=True)
        await (app if scope["path"] in HEALTH else busy)(scope, receive, send)

    return answer
