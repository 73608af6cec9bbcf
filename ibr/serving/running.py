"""The server process: loads a model, opens a port, stops in order on a signal."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Sequence

import uvicorn

from ibr.asking.caches import give_back_at_once
from ibr.asking.prover import load
from ibr.serving.app import create_app
from ibr.serving.limits import ServerLimits

_SWITCH = 0.001  # seconds: the event loop gets the interpreter more often while the worker runs


def serve(host: str, port: int, reasoner: str, limits: ServerLimits, cors: Sequence[str]) -> None:
    """Returns after SIGTERM or SIGHUP; SIGINT raises KeyboardInterrupt as usual."""
    sys.setswitchinterval(_SWITCH)
    give_back_at_once()
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # uvicorn raises it again at the end
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
        signal.signal(signal.SIGHUP, lambda number, frame: os.kill(os.getpid(), signal.SIGTERM))
    app = create_app(load(reasoner), limits, cors)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        limit_concurrency=limits.max_connections,
        timeout_graceful_shutdown=round(limits.drain_s),
    )
    with _bind(host, port) as bound:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{bound.getsockname()[1]}/"
        _Server(config, address).run(sockets=[bound])


class _Server(uvicorn.Server):
    """Prints its address when it accepts requests."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"ibr: serving on {self._address}", file=sys.stderr, flush=True)


def _bind(host: str, port: int) -> socket.socket:
    """Raises OSError with the address in its message."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0), f"{host}:{port}") from None
