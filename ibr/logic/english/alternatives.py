"""The verdict under every reading of the sentences, and in every case that they leave open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

from ibr.choices import Assumption
from ibr.logic.clause import Sign
from ibr.logic.english.book import Book
from ibr.logic.english.doubt import Doubt, Judged, World
from ibr.logic.english.meaning.literals import clause_of, literal
from ibr.logic.english.meaning.terms import Rule
from ibr.logic.english.say import phrase, say_clause
from ibr.logic.english.sentence import Asked, other_aspect
from ibr.prediction import Verdict

_WEAKEST = (
    Verdict.NO, Verdict.CONTRADICTORY, Verdict.CANNOT_SAY, Verdict.NOT_SHOWN, Verdict.YES
)  # fmt: skip
_SHOWN = (Verdict.YES, Verdict.NO)
COMBINATIONS = 16  # of readings of several sentences
Choices = dict[int, list[list[Rule]]]  # the rules that a sentence may have


def judge(book: Book, asked: Asked, world: Assumption = Assumption.CLOSED) -> Judged:
    """Under every reading of the question, and of the sentences that have several."""
    first, *others = (_all_of(book, one, world) for one in (asked, *asked.others))
    if all(other[:2] == first[:2] for other in others):
        return first
    return _open("the question can be read in two ways")


def decided_first(book: Book, asked: Asked) -> Asked:
    """Of several statements that are asked at once, the one that settles it first."""
    parts = sorted(asked.all, key=lambda part: _WEAKEST.index(_one_of(book, part).verdict))
    return replace(parts[0], also=[replace(p, also=[]) for p in parts[1:]], others=asked.others)


def _all_of(book: Book, asked: Asked, world: Assumption) -> Judged:
    """Of several statements all must hold; one that does not settles it."""
    found = [_one_of(book, part, world) for part in asked.all]
    weakest = min(found, key=lambda one: _WEAKEST.index(one.verdict))
    if not asked.also or weakest.why:
        return weakest
    if weakest.verdict is not Verdict.YES:
        return weakest._replace(doubt=Doubt.SEVERAL, why="it asks of several, and this is one")
    said = (literal(p.pred, Sign.NEGATIVE if p.negative else Sign.POSITIVE) for p in asked.also)
    why = f"also shown: {'; '.join(map(phrase, said))}"
    return weakest._replace(doubt=Doubt.SEVERAL, why=why)


def _one_of(book: Book, asked: Asked, world: Assumption = Assumption.CLOSED) -> Judged:
    """Under every reading of the sentences."""
    pairs = [(i, s, [s.rules, *s.others]) for i, s in enumerate(book.sentences)]
    open_ = {i: [*some, []] if other_aspect(s, asked) else some for i, s, some in pairs}
    readings = {i: some for i, some in open_.items() if some[1:]}
    if prod(map(len, readings.values())) > COMBINATIONS:
        why = f"the sentences can be read in more than {COMBINATIONS} ways together"
        return _open(why, *readings)
    each = _each(book, readings)
    found = {chosen: _in_every_case(one, asked, world) for chosen, one in each}
    first, *others = found.values()
    if all(one[:3] == first[:3] or one.verdict is first.verdict in _SHOWN for one in others):
        return first
    at = [*readings][_matters(found)]
    said = (" ".join(say_clause(clause_of(r)) for r in rules) for rules in readings[at])
    ways = tuple(filter(None, said))  # that it is not so of all says nothing of any one
    why = f"it depends on how [{at + 1}] is read"
    return _open(why, at, *(i for i in readings if i != at))._replace(choices=ways)


def _in_every_case(book: Book, asked: Asked, world: Assumption) -> Judged:
    """Where a sentence with "or" leaves open what holds, in each case that is not denied."""
    whole = World(book, asked, world)
    found = whole.judged()
    either = {i: s for i, s in enumerate(book.sentences) if s.cases}
    cases = {i: [[*s.rules, *more] for more in s.cases] for i, s in either.items()}
    if not cases or found.verdict is Verdict.CANNOT_SAY:
        return found
    if prod(map(len, cases.values())) > COMBINATIONS:
        return _open(f"the sentences leave open more than {COMBINATIONS} cases together", *cases)
    worlds = [World(one, asked, world) for _, one in _each(book, cases)]
    verdicts = {one.judged().verdict for one in worlds if not one.clashes}
    not_shown = found.verdict is Verdict.NOT_SHOWN
    for i, sentence in either.items() if not_shown else ():
        heads = {literal(r.head) for rules in sentence.cases for r in rules if not r.body}
        if literal(asked.pred) in heads and heads & whole.lower:
            return _open(f'"or" of [{i + 1}] may exclude that both hold', i)
    if not_shown and len(verdicts) == 1 and verdicts <= {*_SHOWN}:
        all_at_once = {i: [[r for rules in some for r in rules]] for i, some in cases.items()}
        ((_, together),) = _each(book, all_at_once)
        both = World(together, asked, world)
        if both.clashes or {both.judged().verdict} == verdicts:
            return Judged(min(verdicts), Doubt.SEVERAL, f"in each case of [{min(cases) + 1}]")
    unsettled = not_shown and (len(verdicts) > 1 or found.verdict in verdicts)
    if unsettled or verdicts <= {found.verdict}:
        return found
    return _open(f"[{min(cases) + 1}] leaves open which holds", *cases)


def _each(book: Book, choices: Choices) -> Iterator[tuple[tuple[int, ...], Book]]:
    """The book with each combination of the rules of its sentences."""
    for chosen in product(*(range(len(some)) for some in choices.values())):
        places = zip(choices, chosen, strict=True)
        yield chosen, book.with_rules({i: choices[i][k] for i, k in places})


def _open(why: str, *sentences: int) -> Judged:
    return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, sentences)


def _matters(found: dict[tuple[int, ...], Judged]) -> int:
    """The first sentence of which another reading alone changes the verdict."""
    for one, other in product(found, found):
        differ = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(differ) == 1 and found[one].verdict is not found[other].verdict:
            return differ[0]
    return 0
