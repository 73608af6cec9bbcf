"""The server as a process: a model is loaded, a port is opened, and a signal ends it in order."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Sequence

import uvicorn

from ibr.memory import give_back_at_once
from ibr.prover import load
from ibr.serving.app import create_app
from ibr.serving.limits import Limits

_SWITCH = 0.001  # seconds: the thread that reasons lets the one that answers in more often


def serve(host: str, port: int, reasoner: str, limits: Limits, cors: Sequence[str]) -> None:
    """Returns after SIGTERM; SIGINT becomes KeyboardInterrupt, as always."""
    sys.setswitchinterval(_SWITCH)
    give_back_at_once()
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # uvicorn raises it again at the end
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
    with _bound(host, port) as bound:
        address = f"http://{_shown(host)}:{bound.getsockname()[1]}/"
        _Server(config, address).run(sockets=[bound])


class _Server(uvicorn.Server):
    """Says where it is, when it is there."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"ibr: serving on {self._address}", file=sys.stderr, flush=True)


def _bound(host: str, port: int) -> socket.socket:
    """Raises OSError, with the address in its words."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
    bound.set_inheritable(True)
    return bound


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
