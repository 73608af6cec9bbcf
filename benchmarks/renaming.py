"""Theories with other words, and irrelevant sentences.

Words come from the bundled open vocabulary, each in the role that it replaces, and share no stem
with a word of the theory or with each other. Only template sentences can be renamed.
"""

from __future__ import annotations

import random
import re
from typing import Final

from ibr.data.making.vocabulary import adjective, class_noun, vocabulary
from ibr.inputs.tokens import stem
from ibr.logic.clause import Clause, Literal, Name, is_variable
from ibr.logic.reading import Phrasing, Style
from ibr.logic.surface import templates
from ibr.logic.surface.wording import attribute
from ibr.theory import Kind, Sentence, Theory

_WORD: Final = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_THINGS: Final = re.compile(r"\b(?:something|things|it)\b")
_CAN: Final = "can "


class NotRenamed(Exception):
    """A sentence that is no template, or is not read back as it was written."""


class Words:
    """Words of the open vocabulary that a theory does not use, each drawn once."""

    def __init__(self, theory: Theory, rng: random.Random) -> None:
        self._rng, self._used = rng, _stems(theory.text)

    def draw(self, role: str) -> str:
        known: tuple[str, ...] = getattr(vocabulary("open"), role)
        while True:
            word = self._rng.choice(known)
            if self._used.isdisjoint(_stems(word)) and " " not in word:
                self._used |= _stems(word)
                return word


class Renaming:
    """One new word for every old one, drawn when it first occurs."""

    def __init__(self, theory: Theory, rng: random.Random) -> None:
        self._words = Words(theory, rng)
        self._new: dict[str, str] = {}

    def rewrite(self, text: str) -> str:
        """The sentence with new words. Raises NotRenamed."""
        reading = templates.parse(text)
        if reading is None:
            raise NotRenamed(text)
        ((head, body),) = reading.clauses
        clause = Clause(self._literal(head), tuple(map(self._literal, body)))
        written = templates.write_clause(clause, reading.phrasing)
        again = templates.parse(written)
        if again is None or again.clauses != (clause,):
            raise NotRenamed(written)
        return written

    def _literal(self, old: Literal) -> Literal:
        subject = self._entity(old.subject)
        if old.relation == "is":
            return Literal(subject, "is", self._attribute(old.object), old.sign)
        if old.relation.startswith(_CAN):
            ability = self._word("abilities", old.relation.removeprefix(_CAN))
            return Literal(subject, _CAN + ability, "", old.sign)
        verb = self._word("verbs", old.relation)
        return Literal(subject, verb, self._entity(old.object), old.sign)

    def _entity(self, old: str) -> str:
        if is_variable(old):
            return old
        return Name(self._word("names" if old[:1].isupper() else "nouns", old))

    def _attribute(self, old: str) -> str:
        if attribute(old) == old:
            return adjective(self._word("adjectives", old))
        return class_noun(self._word("classes", old))

    def _word(self, role: str, old: str) -> str:
        if old not in self._new:
            self._new[old] = self._words.draw(role)
        return self._new[old]


def new_fact(theory: Theory, rng: random.Random) -> Sentence:
    """A fact about an entity and an attribute that the theory does not have."""
    words = Words(theory, rng)
    things = any(sentence.text.startswith("The ") for sentence in theory)
    entity = Name(words.draw("nouns" if things else "names"))
    literal = Literal(entity, "is", adjective(words.draw("adjectives")))
    return Sentence(templates.write_literal(literal), Kind.FACT)


def new_rule(theory: Theory, rng: random.Random) -> Sentence:
    """A rule about two attributes that the theory does not have."""
    words = Words(theory, rng)
    body, head = (
        Literal(templates.VARIABLE, "is", adjective(words.draw("adjectives"))) for _ in range(2)
    )
    style = Style.THING if _THINGS.search(theory.text) else Style.PERSON
    return Sentence(templates.write_clause(Clause(head, (body,)), Phrasing(style=style)), Kind.RULE)


def _stems(text: str) -> set[str]:
    return {stem(word.lower()) for word in _WORD.findall(text)}
