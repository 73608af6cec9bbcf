"""EVR (Liang, Bethard, Surdeanu 2021): a program that asks text generators, one step at a time.

`Control` holds the buffers and the current goal, asks the control module which operator to run, and
recurses: one goal, first success wins, conditions from left to right. A positive statement is shown
by a fact or a rule; a negative one holds if neither facts nor rules contradict it. As in the
authors' code there is no memo, no check for loops and no common variable of two conditions, so a
perfect set of modules reaches a proof accuracy of 89 on the provable questions of DU5, not 100.
A rule level takes 4 frames of the authors' 25, so depth 5 is the deepest that can be proved.

What differs: `max_calls` ends a question (theirs has no budget); what cannot be parsed is false, as
theirs, but counted. A failed question has no proof here: strategy fail-proof, empty graph.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from ibr.baselines.algorithms import evr_calls as calls
from ibr.baselines.algorithms.evr_calls import Buffers, Call, Item
from ibr.proof import NAF, Tree

FRAMES: Final = 25
MAX_CALLS: Final = 2000


class Found(NamedTuple):
    """Whether the statement of a goal holds, and the proof; NAF where nothing contradicts it."""

    holds: bool
    tree: Tree | None = None


_FAILED: Final = Found(False)
_UNCONTRADICTED: Final = Found(True, Tree(NAF))


class Unparsable(Exception):
    """Output of a module that is no operator, goal or result."""


class Control:
    """Proves statements by asking modules; `ask` is one call of a network."""

    def __init__(
        self, buffers: Buffers, ask: Callable[[Call], str], max_calls: int = MAX_CALLS
    ) -> None:
        self._buffers, self._ask, self._max = buffers, ask, max_calls
        self.calls = 0
        self.malformed = 0  # outputs that could not be parsed

    @property
    def capped(self) -> bool:
        return self.calls >= self._max

    def prove(self, statement: str) -> Found:
        """The statement as `words_of` spells it."""
        return self._goal(f"{calls.PROVE} {statement}", 1)

    def _call(self, module: str, text: str, items: tuple[Item, ...] = ()) -> str:
        if self.capped:
            raise Unparsable
        self.calls += 1
        return self._ask(Call(module, self._buffers.header + text, items))

    def _goal(self, goal: str, frame: int) -> Found:
        if frame > FRAMES:
            return _FAILED
        try:
            if not goal:
                raise Unparsable  # "and …" with nothing before it
            operator = self._call(calls.CONTROL, goal)
            if operator == calls.SUBGOALS:
                return self._joined(self._subgoals(goal), frame)
            return self._run(goal, operator.split(), frame)
        except Unparsable:
            self.malformed += not self.capped
            return _FAILED

    def _subgoals(self, goal: str) -> str:
        return self._call(calls.CONTROL, f"{goal} ; {calls.SUBGOALS}")

    def _joined(self, goals: str, frame: int) -> Found:
        """Patterns 2, 4 and 8: the first success of `or`, the first failure of `and`."""
        is_and = calls.AND in goals.split()
        found = _FAILED
        for goal in split(goals, calls.AND if is_and else calls.OR):
            found = self._goal(goal, frame + 1)
            if found.holds is not is_and:
                return found
        return found

    def _run(self, goal: str, fetched: list[str], frame: int) -> Found:
        """Patterns 5, 6, 9 and 10: look into one buffer."""
        if len(fetched) != 3 or fetched[0] != calls.FETCH or not fetched[2].isdigit():
            raise Unparsable
        kind, number = fetched[1], int(fetched[2])
        buffers = self._buffers.of_kind(kind)
        if kind not in (calls.FACTS, calls.RULES) or not 1 <= number <= len(buffers):
            raise Unparsable
        items = {item.number: item.sentence for item in buffers[number - 1]}
        output = self._call(kind, f"{goal} ; {calls.APPLY}", buffers[number - 1])
        words = output.split()
        if words in ([calls.TRUE], [calls.FALSE]):
            return _UNCONTRADICTED if words == [calls.TRUE] else _FAILED
        if kind == calls.RULES:
            return self._alternatives(goal, output, items, frame + 1)
        if len(words) != 3 or words[0] not in (calls.TRUE, calls.FALSE):
            raise Unparsable
        return Found(words[0] == calls.TRUE, Tree(_cited(words[1:], items)))

    def _alternatives(self, goal: str, ways: str, items: dict[int, int], frame: int) -> Found:
        """Patterns 11 and 12: the first rule whose conditions are all proved."""
        is_negative = calls.ALLOW in goal.split()
        join = calls.ALSO if is_negative else calls.OR
        rules = [_cited(way.split(), items) for way in split(ways, join)]
        if self._call(calls.CONTROL, ways) != calls.SUBGOALS:
            raise Unparsable
        groups = split(self._subgoals(ways), join)
        if len(groups) != len(rules):
            raise Unparsable
        for rule, group in zip(rules, groups, strict=True):
            premises: list[Tree] = []
            wanted = split(group, calls.AND)
            for condition in wanted:
                found = self._goal(condition, frame + 1)
                if not found.holds or found.tree is None:
                    break
                premises.append(found.tree)
            if len(premises) == len(wanted):
                return Found(not is_negative, Tree(rule, tuple(premises)))
        return _UNCONTRADICTED if is_negative else _FAILED


def split(text: str, join: str) -> list[str]:
    return [part.strip() for part in f" {text} ".split(f" {join} ")]


def _cited(words: list[str], items: dict[int, int]) -> int:
    """The sentence of "cite 7 …"."""
    is_citing = words[:1] == [calls.CITE] and len(words) > 1 and words[1].isdigit()
    if not is_citing or int(words[1]) not in items:
        raise Unparsable
    return items[int(words[1])]
