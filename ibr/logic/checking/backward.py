"""Which rules could conclude a literal: the backward look that failures, why-not and repairs need.

Proves nothing: it only matches conclusions and says what would then have to hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache

from ibr.logic.checking.matching import match
from ibr.logic.clause import Clause, Literal, Program, is_variable

_Ranked = tuple[int, int, Clause]  # author's number, sentence index, clause


class Conclusions:
    """The clauses of a program, found by what they conclude, lowest sentence number first."""

    def __init__(self, program: Program) -> None:
        self._by_head: defaultdict[tuple[str, str | None], list[_Ranked]] = defaultdict(list)
        for index, clause in program:
            object_ = clause.head.object
            key = clause.head.relation, None if is_variable(object_) else object_
            self._by_head[key].append((program.numbers[index], index, clause))

    def of(self, goal: Literal, domain: Collection[str]) -> Iterator[tuple[int, Clause]]:
        """(sentence, clause) for each clause that could conclude the goal, bound so that it does.

        Variables that the conclusion does not mention are left open.
        """
        keys = (goal.relation, goal.object), (goal.relation, None)
        ranked = [entry for key in keys for entry in self._by_head.get(key, ())]
        for _, index, clause in sorted(ranked, key=lambda entry: entry[0]):
            binding = match(clause.head, goal, {}, domain)
            if binding is not None:
                yield index, clause.bind(binding) if binding else clause


@lru_cache(maxsize=64)
def conclusions_of(program: Program) -> Conclusions:
    return Conclusions(program)
