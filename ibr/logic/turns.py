"""A function as a generator: it runs in a thread of its own and stops where it calls `pause`.

So work that knows nothing of generators, as reading a text is, can be interrupted. It must hold no
lock when it calls `pause`: what runs in its place may need it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TypeVar

from ibr.logic.budget import Cancelled

T = TypeVar("T")


def in_turns(call: Callable[[Callable[[], None]], T]) -> Generator[None, None, T]:
    """Yields at each call of its argument, which raises Cancelled once the generator is closed."""
    mine, others = threading.Semaphore(0), threading.Semaphore(0)
    found, failed, is_closed = list[T](), list[BaseException](), False

    def pause() -> None:
        others.release()
        mine.acquire()
        if is_closed:
            raise Cancelled

    def run() -> None:
        mine.acquire()
        try:
            found.append(call(pause))
        except BaseException as error:
            failed.append(error)
        others.release()

    thread = threading.Thread(target=run, name="ibr-turns", daemon=True)
    thread.start()
    try:
        while True:
            mine.release()
            others.acquire()
            if found or failed:
                break
            yield
    finally:
        if not (found or failed):
            is_closed = True
            mine.release()
        thread.join()
    if failed:
        raise failed[0]
    return found[0]
