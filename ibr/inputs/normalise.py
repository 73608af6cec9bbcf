"""What a model is given of a rulebook: ordinary English said again as in the texts it learned from.

Models of anonymous words learn short sentences, "If someone is kind then they are big." Where the
parser reads something else, its reading is said in that form, clause by clause, and what names one
thing or one property is one word: "Anyone who is trusted and has a badge may enter the server room"
is given as "If someone is trusted and hasbadge then they are mayenterserverroom." `Given.back`
says which sentence each of these is from, so that proofs cite the sentences of the rulebook.

What the parser cannot read stays as it was written. A theory of template sentences (RuleTaker's)
stays untouched, and so does one that is mostly unreadable: what little is read of it would only be
torn away from the words of the rest. Nothing here reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from ibr.logic import templates
from ibr.logic.clause import Clause, Literal, Name, is_variable
from ibr.logic.grounding import one_variable
from ibr.logic.language import read, read_question, say
from ibr.logic.reading import ReadError
from ibr.logic.wording import base_form, third_person
from ibr.theory import Kind, Question, Sentence, Theory
from ibr.tokens import ADJECTIVE, SILENT, WORD_ID, stem

_UNREAD: Final = 0.15  # of the sentences; with more, nothing is said again
_PLAIN: Final = re.compile(r"[a-z0-9]+")
_ONE_VERB: Final = re.compile(r"[a-z]+s")  # likes, not: may like
_BY: Final = "by "


@dataclass(frozen=True, slots=True)
class Given:
    """A theory for a model; `back[i]` is the sentence of the real one that its sentence i says."""

    theory: Theory
    back: tuple[int, ...]
    is_as_written: bool = False


def as_written(theory: Theory) -> Given:
    return Given(theory, tuple(range(len(theory))), is_as_written=True)


def said_again(theory: Theory, question: Question) -> tuple[Given, Question]:
    """What a model is given. The kinds of the sentences must be known (`ibr.proving`)."""
    speech = speech_of(theory)
    if speech is None:
        return as_written(theory), Question(_statement(question.text))
    try:
        return speech.given, Question(speech.say(read_question(question.text)))
    except ValueError:  # a ReadError, too: its words would not be those of the theory said again
        return as_written(theory), question


def _statement(text: str) -> str:
    """A template sentence as it is, anything else that can be read as one."""
    if templates.parse(text) is not None:
        return text
    try:
        return say(read_question(text))
    except ReadError:
        return text


@lru_cache(maxsize=256)
def speech_of(theory: Theory) -> _Speech | None:
    """How to say the theory again; None if it is to stay as it is."""
    telling = [sentence for sentence in theory if sentence.kind is not Kind.REMARK]
    free = [sentence for sentence in telling if templates.parse(sentence.text) is None]
    room = int(_UNREAD * len(telling))  # once it is used up, no more need be read
    unread = islice((s for s in free if not _clauses_of(s)), room + 1)
    count = sum(1 for _ in unread)
    return None if count > room or count == len(free) else _Speech(theory)


def _clauses_of(sentence: Sentence) -> tuple[Clause, ...]:
    """None unless it is read as what it is said to be."""
    reading = read(sentence.text)
    return reading.clauses if reading.kind is sentence.kind else ()


class _Speech:
    """One theory's way of saying things, and the theory said so."""

    def __init__(self, theory: Theory) -> None:
        clauses = [clause for sentence in theory for clause in _clauses_of(sentence)]
        literals = [literal for clause in clauses for literal in (clause.head, *clause.body)]
        doing = {lit.relation for lit in literals if is_variable(lit.subject)}
        self._passive = {lit.relation for lit in literals if is_variable(lit.object)} - doing
        literals = [self._turned(literal) for literal in literals]
        self._subjects = {literal.subject for literal in literals}
        self._open = {lit.relation for lit in literals if is_variable(lit.object)}
        self._words = _Words()
        self._program = [self._turned_clause(clause) for clause in clauses]
        sentences, back = [], []
        for index, sentence in enumerate(theory):
            for told in self._told(sentence):
                sentences.append(told)
                back.append(index)
        self.given = Given(Theory(tuple(sentences)), tuple(back))
        self._words.close()

    def say(self, literal: Literal) -> str:
        """Raises ValueError if no template says it."""
        return templates.write_clause(Clause(self._worded(self._turned(literal))))

    def _told(self, sentence: Sentence) -> list[Sentence]:
        """One for each clause; as it was written where some clause cannot be said."""
        try:
            return list(self._clauses(_clauses_of(sentence))) or [sentence]
        except ValueError:
            return [sentence]

    def _clauses(self, clauses: Iterable[Clause]) -> Iterator[Sentence]:
        for clause in clauses:
            for way in one_variable(self._turned_clause(clause), self._program):
                text = templates.write_clause(self._worded_clause(way))
                yield Sentence(text, Kind.RULE if way.body else Kind.FACT)

    def _turned(self, literal: Literal) -> Literal:
        """Of what is only ever done *to* someone, they are the subject."""
        if literal.relation not in self._passive or not literal.object:
            return literal
        subject, relation, object_, sign = literal
        return Literal(object_, f"{_BY}{relation}", subject, sign)

    def _turned_clause(self, clause: Clause) -> Clause:
        return Clause(self._turned(clause.head), tuple(map(self._turned, clause.body)))

    def _worded_clause(self, clause: Clause) -> Clause:
        clause = clause.bind(dict.fromkeys(clause.variables, templates.VARIABLE))
        return Clause(self._worded(clause.head), tuple(map(self._worded, clause.body)))

    def _worded(self, literal: Literal) -> Literal:
        subject, relation, object_, sign = literal
        subject = self._named(subject)
        if relation == "is" or self._is_property(literal):
            phrase = object_ if relation == "is" else f"{relation} {object_}".strip()
            word = self._words.of(phrase)
            return Literal(subject, "is", Name(word, word), sign)
        verb = self._words.of(relation, is_verb=True)
        return Literal(subject, third_person(verb), self._named(object_), sign)

    def _is_property(self, literal: Literal) -> bool:
        """Whether its object is never more than a part of what is said: "has a badge"."""
        is_other = is_variable(literal.object) or literal.object in self._subjects
        return not is_other and literal.relation not in self._open

    def _named(self, entity: str) -> str:
        if is_variable(entity):
            return entity
        word = self._words.of(entity)
        return Name(word.capitalize() if entity[:1].isupper() else word)


class _Words:
    """One word for each phrase: no two have the same stem, and none is a word of grammar."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()
        self._is_closed = False

    def close(self) -> None:
        """From now on what is new is not remembered: it is only ever asked about."""
        self._is_closed = True

    def of(self, phrase: str, is_verb: bool = False) -> str:
        """A verb, given in the third person, has the same stem in both of its forms."""
        if phrase in self._made:
            return self._made[phrase]
        words = _spelled(base_form(phrase) if is_verb and _ONE_VERB.fullmatch(phrase) else phrase)
        free = filter(self._is_free, words)
        word = next(w for w in free if not is_verb or stem(third_person(w)) == stem(w))
        if not self._is_closed:
            self._made[phrase] = word
            self._taken.add(stem(word))
        return word

    def _is_free(self, word: str) -> bool:
        return stem(word) not in self._taken and not _is_known(word)


def _spelled(phrase: str) -> Iterator[str]:
    """ "the server room" → theserverroom, theserverroom2, theserverroom3 …"""
    word = "".join(_PLAIN.findall(phrase.lower())) or "x"
    yield word
    number = 2
    while True:
        yield f"{word}{number}"
        number += 1


def _is_known(word: str) -> bool:
    """Whether a model takes it for more than an adjective or a name."""
    return word in SILENT or WORD_ID.get(word, ADJECTIVE) < ADJECTIVE
