"""Programs that ask a network, run side by side: what all of them ask at a time is one batch."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from ibr.logic.turns import in_turns

A = TypeVar("A")  # answer
Q = TypeVar("Q", bound=Hashable)  # question
R = TypeVar("R")  # result


def side_by_side(
    programs: Sequence[Callable[[Callable[[Q], A]], R]],
    answers: Callable[[Sequence[Q]], Iterable[A]],
) -> list[R]:
    """The result of each; it gets a function that answers. The same question is asked once."""
    known, wanted = dict[Q, A](), dict[Q, None]()

    def run(program: Callable[[Callable[[Q], A]], R], pause: Callable[[], None]) -> R:
        def ask(question: Q) -> A:
            if question not in known:
                wanted[question] = None
                pause()
            return known[question]

        return program(ask)

    live = {place: in_turns(partial(run, one)) for place, one in enumerate(programs)}
    found: dict[int, R] = {}
    while live:
        for place, steps in [*live.items()]:
            try:
                next(steps)
            except StopIteration as end:
                found[place] = end.value
                del live[place]
        if wanted:
            known.update(zip(wanted, answers([*wanted]), strict=True))
            wanted.clear()
    return [found[place] for place in range(len(programs))]
