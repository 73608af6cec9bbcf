"""The server process: loads a model, opens a port, stops in order on a signal."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

import uvicorn

from ibr.asking.caches import give_back_at_once
from ibr.asking.prover import load
from ibr.serving.app import create_app
from ibr.serving.connections import Connections
from ibr.serving.forking import end_at_once, run_processes
from ibr.serving.guard import LOOPBACK
from ibr.serving.limits import ServerLimits
from ibr.serving.stderr import dropping_stderr
from ibr.serving.work.apart import AnswersApart

_ACCEPTED = 32  # connections that the event loop accepts before it does something else
_BACKLOG = 1024  # connections that wait to be accepted
_SWITCH = 0.0001  # seconds: the event loop waits so long at each call while the worker runs


@dataclass(frozen=True, slots=True)
class Settings:
    """What `ibr serve` is given, but for the limits."""

    host: str = "127.0.0.1"
    port: int = 8000
    reasoner: str = "verified"
    cors: Sequence[str] = ()
    workers: int = 1
    allowed_hosts: Sequence[str] = ()  # beside the loopback names and `host`; * is any
    trusted_proxies: Sequence[str] = ()  # whose X-Forwarded-For is believed

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset({*LOOPBACK, self.host, *self.allowed_hosts})


def serve(settings: Settings, limits: ServerLimits) -> None:
    """Ends with 0 after SIGTERM or SIGHUP; SIGINT raises KeyboardInterrupt as usual."""
    signal.signal(signal.SIGTERM, end_at_once)  # uvicorn raises it at the end
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
        signal.signal(signal.SIGHUP, lambda number, frame: os.kill(os.getpid(), signal.SIGTERM))
    with _bind(settings.host, settings.port) as bound:
        port = bound.getsockname()[1]
        announce = partial(_announce, settings, port)
        if settings.workers == 1:
            with dropping_stderr():
                _run(settings, limits, bound, announce)
            return

    def run(started: Callable[[], None]) -> None:
        with _bind(settings.host, port, shared=True) as own, dropping_stderr():
            _run(settings, limits, own, started)

    with _bind(settings.host, port, shared=True):  # holds the port; what listens gets connections
        run_processes(settings.workers, run, announce)


def _run(
    settings: Settings, limits: ServerLimits, bound: socket.socket, started: Callable[[], None]
) -> None:
    sys.setswitchinterval(_SWITCH)
    give_back_at_once()
    answers = AnswersApart(partial(load, settings.reasoner), limits, inherited=bound)
    app = create_app(answers, limits, settings.cors, settings.hosts)
    connections = Connections(limits, frozenset(settings.trusted_proxies))
    config = uvicorn.Config(
        app,
        http=connections.protocol,  # type: ignore[arg-type]
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[*settings.trusted_proxies],
        backlog=_ACCEPTED,
        timeout_keep_alive=ceil(limits.idle_timeout_s),
        timeout_graceful_shutdown=round(limits.drain_s),
    )

    def start() -> None:
        bound.listen(_BACKLOG)
        gc.collect()
        gc.freeze()
        started()

    _Server(config, start, answers.close).run(sockets=[bound])


class _Server(uvicorn.Server):
    """Says when it accepts requests, and when it has answered the last."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], on_end: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_start, self._on_end = on_start, on_end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        self._on_end()


def _announce(settings: Settings, port: int) -> None:
    host = settings.host
    if host not in LOOPBACK:
        reached = "every address of this machine" if host in ("0.0.0.0", "::", "") else host
        print(
            f"ibr: warning: others can reach {reached}, and there is no password and no TLS: "
            "put a proxy in front (docs/deploying.md)",
            file=sys.stderr,
        )
    shown = f"[{host}]" if ":" in host else host
    print(f"ibr: serving on http://{shown}:{port}/", file=sys.stderr, flush=True)


def _bind(host: str, port: int, shared: bool = False) -> socket.socket:
    """Does not listen. Raises OSError with the address in its message.

    `shared`: several sockets may be bound to it, and the kernel divides connections among them.
    """
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if ":" in host:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
        return bound
    except OSError as error:
        bound.close()
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
