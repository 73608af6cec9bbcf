"""Batches made ahead by processes of their own, in the order of the steps.

Worker w of n makes the batches of steps w, w + n, … and sends them through a pipe; a worker whose
trainer is gone, killed even, finds the pipe closed and ends.
"""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from ibr.errors import IbrError
from ibr.model.batch import Batch
from ibr.training.stream import Stream

_AHEAD = 8


@contextmanager
def batches(stream: Stream, first: int) -> Iterator[Iterator[Batch]]:
    """The batches of steps `first`, `first` + 1, … without end."""
    count = stream.config.workers
    if count == 0:
        yield map(stream.batch, _from(first, 1))
        return
    # Not forked: a fork of a process with threads (torch has some) may hang.
    context = multiprocessing.get_context("spawn")
    processes, queues = [], []
    for worker in range(count):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(
            target=_make, args=(stream, first + worker, count, sender), daemon=True
        )
        process.start()
        sender.close()  # ours; the end of the worker's own is the end of the pipe
        made: queue.Queue[bytes] = queue.Queue(_AHEAD)
        threading.Thread(target=_receive, args=(receiver, made), daemon=True).start()
        processes.append(process)
        queues.append(made)
    try:
        yield _in_turn(queues)
    finally:
        for process in processes:
            process.terminate()


def _from(first: int, stride: int) -> Iterator[int]:
    step = first
    while True:
        yield step
        step += stride


def _make(stream: Stream, first: int, stride: int, sender: Connection) -> None:
    import torch

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the trainer is interrupted, and ends us
    torch.set_num_threads(1)
    try:
        for step in _from(first, stride):
            sender.send_bytes(pickle.dumps(stream.batch(step)))
    except BrokenPipeError:
        pass
    except Exception as error:  # told to the trainer, whose user must see it
        sender.send_bytes(pickle.dumps(IbrError(f"making data: {type(error).__name__}: {error}")))


def _receive(receiver: Connection, made: queue.Queue[bytes]) -> None:
    try:
        while True:
            made.put(receiver.recv_bytes())
    except (EOFError, OSError):
        made.put(pickle.dumps(IbrError("the process that makes the data ended; see its message")))


def _in_turn(queues: list[queue.Queue[bytes]]) -> Iterator[Batch]:
    while True:
        for made in queues:
            item = pickle.loads(made.get())
            if isinstance(item, Exception):
                raise item
            yield item
