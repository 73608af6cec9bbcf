"""The verdict under every reading of the sentences, and in every case that they leave open."""

from __future__ import annotations

from itertools import product
from math import prod

from ibr.choices import Assumption
from ibr.logic.english.book import Book
from ibr.logic.english.doubt import Doubt, Judged, World
from ibr.logic.english.meaning.literals import clause_of, literal
from ibr.logic.english.say import say_clause
from ibr.logic.english.sentence import Asked
from ibr.prediction import Verdict

COMBINATIONS = 16  # of readings of several sentences


def judge(book: Book, asked: Asked, world: Assumption = Assumption.CLOSED) -> Judged:
    """Under every reading of the sentences that have several."""
    several = [i for i, s in enumerate(book.sentences) if s.others]
    choices = [[book.sentences[i].rules, *book.sentences[i].others] for i in several]
    if prod(map(len, choices)) > COMBINATIONS:
        why = f"the sentences can be read in more than {COMBINATIONS} ways together"
        return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, tuple(several))
    found: dict[tuple[int, ...], Judged] = {}
    try:
        for chosen in product(*(range(len(some)) for some in choices)):
            for i, some, k in zip(several, choices, chosen, strict=True):
                book.sentences[i].rules = some[k]
            found[chosen] = _in_every_case(book, asked, world)
    finally:
        for i, some in zip(several, choices, strict=True):
            book.sentences[i].rules = some[0]
    first, *others = found.values()
    if all(one.verdict is first.verdict for one in others):
        return first
    at = _matters(found)
    why = f"it depends on how [{several[at] + 1}] is read"
    said = (" ".join(say_clause(clause_of(r)) for r in rules) for rules in choices[at])
    ways = tuple(filter(None, said))  # that it is not so of all says nothing of any one
    here = (several[at], *(i for i in several if i != several[at]))
    return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, here, ways)


def _in_every_case(book: Book, asked: Asked, world: Assumption) -> Judged:
    """Where a sentence with "or" leaves open what holds, in each case that is not denied."""
    whole = World(book, asked, world)
    found = whole.judged()
    open_ = [i for i, s in enumerate(book.sentences) if s.cases]
    kept = [book.sentences[i].rules for i in open_]
    if not open_ or found.verdict is Verdict.CANNOT_SAY:
        return found
    if prod(len(book.sentences[i].cases) for i in open_) > COMBINATIONS:
        why = f"the sentences leave open more than {COMBINATIONS} cases together"
        return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, tuple(open_))
    verdicts = set()
    try:
        for case in product(*(book.sentences[i].cases for i in open_)):
            for i, rules, more in zip(open_, kept, case, strict=True):
                book.sentences[i].rules = [*rules, *more]
            one = World(book, asked, world)
            if not any(lit.negation in one.lower for lit in one.lower):
                verdicts.add(one.judged().verdict)
    finally:
        for i, rules in zip(open_, kept, strict=True):
            book.sentences[i].rules = rules
    for i in open_ if found.verdict is Verdict.NOT_SHOWN else ():
        heads = {literal(r.head) for rules in book.sentences[i].cases for r in rules if not r.body}
        if literal(asked.pred) in heads and heads & whole.lower:
            why = f'"or" of [{i + 1}] may exclude that both hold'
            return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, (i,))
    unsettled = found.verdict is Verdict.NOT_SHOWN and (
        len(verdicts) > 1 or found.verdict in verdicts
    )
    if unsettled or verdicts <= {found.verdict}:
        return found
    why = f"[{open_[0] + 1}] leaves open which holds"
    return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, tuple(open_))


def _matters(found: dict[tuple[int, ...], Judged]) -> int:
    """The first sentence of which another reading alone changes the verdict."""
    for one, other in product(found, found):
        differ = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(differ) == 1 and found[one].verdict is not found[other].verdict:
            return differ[0]
    return 0
