"""Which sentences stand in the way of the conclusion that something is not provable.

A sentence that cannot be read does if it has a content word in common with one of the atoms that
must not be provable, or with any atom that these depend on through the rules. A sentence that was
read does if its reading is in doubt: if it says one of these atoms in other words ("is very kind").
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import takewhile
from typing import Final

from ibr.logic.clause import Clause, Literal, Program, is_variable, may_match
from ibr.logic.surface.words import PREPOSITIONS, STRUCTURE, words

_EMPTY: Final = STRUCTURE | PREPOSITIONS | words("has have having people person thing things s t")
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_LINKING: Final = words("seem appear become look feel get seems appears becomes looks feels gets")
_HAVE: Final = words("has have had")
_LEAST: Final = 4  # letters that two words of one family have in common
_ENDING: Final = 5  # letters after these, at most: suspend, suspension
_ANY: Final = "?"  # stands for every variable


def content_words(text: str) -> frozenset[str]:
    """The content words, lower-case and as lemmas: "Birds flew." → bird, fly, …"""
    return frozenset().union(*map(word_forms, _WORD.findall(text)))


@lru_cache(maxsize=1 << 14)
def word_forms(word: str) -> frozenset[str]:
    from ibr.logic.english.lexis.dictionary import lemmas

    low = word.lower()
    if low in _EMPTY:
        return frozenset()
    return frozenset({low}.union(*lemmas(low).values()))


def related(one: str, other: str) -> bool:
    """Whether two words are the same or of one family by their letters: employ, employee."""
    if one == other:
        return True
    pairs = zip(one, other, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    shorter, longer = sorted(map(len, (one, other)))
    return common >= _LEAST and 4 * common >= 3 * shorter and longer - common <= _ENDING


def in_the_way(program: Program, atoms: Iterable[Literal]) -> tuple[int, ...]:
    """The sentences that may bear on these atoms beyond what was read; the nearest first."""
    waiting = dict(zip(program.unreadable, program.unread_words, strict=False))
    found = [index for index in program.unreadable if index not in waiting]  # words not known
    loose = [(i, clause.head) for i, clause in program if i in program.loosely_read]
    level = dict.fromkeys(map(_general, atoms))
    seen = {**level}
    while level and (waiting or loose):
        terms = content_words(" ".join(_terms(level, program)))
        near = [i for i, own in waiting.items() if any(related(a, b) for a in own for b in terms)]
        near += [i for i, head in loose if any(_may_say(head, atom) for atom in level)]
        found += near
        waiting = {i: own for i, own in waiting.items() if i not in near}
        below = {a: None for goal in level for _, c in program for a in _conditions(goal, c)}
        level = {atom: None for atom in below if atom not in seen}
        seen |= level
    return tuple(dict.fromkeys(found))


def in_doubt(program: Program, question: Literal, cited: Iterable[int]) -> int | None:
    """A cited sentence that may say more of the question or of another one than was read."""
    indices = sorted(cited)
    literals = {i: [lit for c in program.clauses[i] for lit in (c.head, *c.body)] for i in indices}
    for index in program.loosely_read.intersection(indices):
        others = [question, *(lit for i in indices if i != index for lit in literals[i])]
        if any(_may_say(one, other) for one in literals[index] for other in others):
            return index
    return None


def _may_say(literal: Literal, atom: Literal) -> bool:
    """Whether a literal has the words of an attribute and says it otherwise, or says more: "is very
    kind", "will be kind" or "has a kind heart" for "is kind"; not "helps kind people".
    """
    if atom.relation != "is" or not may_match(literal, literal._replace(subject=atom.subject)):
        return False
    relation, object_ = literal.relation, literal.object
    if not object_ and relation.partition(" ")[0] in _HAVE:
        relation, _, object_ = relation.partition(" ")  # "has a kind heart" is one relation
    if literal[1:3] == atom[1:3] or content_words(relation) - _LINKING:
        return False
    wanted = content_words(atom.object)
    if _HAVE.intersection(relation.split()):
        object_ = object_.rpartition(" ")[0]  # of what it has, not what that is
    return bool(wanted) and wanted <= content_words(object_)


def _terms(atoms: Collection[Literal], program: Program) -> set[str]:
    """The terms of the atoms; a variable may be any entity."""
    terms = {term for atom in atoms for term in atom[:3]}
    return terms | program.entities if _ANY in terms else terms


def _conditions(goal: Literal, clause: Clause) -> list[Literal]:
    """The atoms that the clause needs to conclude the goal or its negation."""
    if not may_match(clause.head, goal):
        return []
    binding = {a: b for a, b in zip(clause.head, goal, strict=True) if is_variable(a)}
    return [_general(condition.bind(binding)) for condition in clause.body]


def _general(literal: Literal) -> Literal:
    """Its atom; which variable is which does not matter."""
    return literal.atom.bind(dict.fromkeys(literal.variables, _ANY))
