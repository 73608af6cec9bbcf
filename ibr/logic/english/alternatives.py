"""The verdict under every reading of the sentences, and in every case that they leave open."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from itertools import product
from math import prod

from ibr.choices import Assumption
from ibr.logic.english.book import Book
from ibr.logic.english.doubt import Doubt, Judged, World
from ibr.logic.english.meaning.literals import clause_of, literal
from ibr.logic.english.meaning.terms import Rule
from ibr.logic.english.say import say_clause
from ibr.logic.english.sentence import Asked
from ibr.prediction import Verdict

COMBINATIONS = 16  # of readings of several sentences
Choices = dict[int, list[list[Rule]]]  # the rules that a sentence may have


def judge(book: Book, asked: Asked, world: Assumption = Assumption.CLOSED) -> Judged:
    """Under every reading of the sentences that have several."""
    readings = {i: [s.rules, *s.others] for i, s in enumerate(book.sentences) if s.others}
    if prod(map(len, readings.values())) > COMBINATIONS:
        why = f"the sentences can be read in more than {COMBINATIONS} ways together"
        return _open(why, *readings)
    with closing(_each(book, readings)) as each:
        found = {chosen: _in_every_case(book, asked, world) for chosen in each}
    first, *others = found.values()
    if all(one.verdict is first.verdict for one in others):
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
    with closing(_each(book, cases)) as each:
        worlds = [World(book, asked, world) for _ in each]
    verdicts = {one.judged().verdict for one in worlds if not one.clashes}
    not_shown = found.verdict is Verdict.NOT_SHOWN
    for i, sentence in either.items() if not_shown else ():
        heads = {literal(r.head) for rules in sentence.cases for r in rules if not r.body}
        if literal(asked.pred) in heads and heads & whole.lower:
            return _open(f'"or" of [{i + 1}] may exclude that both hold', i)
    unsettled = not_shown and (len(verdicts) > 1 or found.verdict in verdicts)
    if unsettled or verdicts <= {found.verdict}:
        return found
    return _open(f"[{min(cases) + 1}] leaves open which holds", *cases)


def _each(book: Book, choices: Choices) -> Generator[tuple[int, ...]]:
    """Gives the sentences each combination of their rules in turn."""
    kept = {i: book.sentences[i].rules for i in choices}
    try:
        for chosen in product(*(range(len(some)) for some in choices.values())):
            for i, k in zip(choices, chosen, strict=True):
                book.sentences[i].rules = choices[i][k]
            yield chosen
    finally:
        for i, rules in kept.items():
            book.sentences[i].rules = rules


def _open(why: str, *sentences: int) -> Judged:
    return Judged(Verdict.CANNOT_SAY, Doubt.READINGS, why, sentences)


def _matters(found: dict[tuple[int, ...], Judged]) -> int:
    """The first sentence of which another reading alone changes the verdict."""
    for one, other in product(found, found):
        differ = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(differ) == 1 and found[one].verdict is not found[other].verdict:
            return differ[0]
    return 0
