"""Ordinary English → the short template sentences that compact models learn from.

"Anyone who is trusted and has a badge may enter the server room" becomes "If someone is trusted and
hasbadge then they are mayenterserverroom.": each clause that the parser reads is one sentence, and
each thing or property is one word. `NormalisedTheory.source` gives the rulebook's sentence of each
of these, so that proofs cite the rulebook.

A sentence that the parser cannot read is not changed. Nor is a theory of template sentences
(RuleTaker's), nor one that is mostly unreadable: rewriting the readable part would separate it from
the words of the rest. Nothing here reasons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count, product
from math import prod
from typing import Final

from ibr.inputs.kinds import KindClassifier
from ibr.inputs.model_words import KnownWords, ModelWords
from ibr.inputs.tokens import stem
from ibr.logic.clause import Clause, Literal, Name, Sign, entities_of, is_variable, may_match
from ibr.logic.language import logic_of, program_of, readings_of, say
from ibr.logic.reading import ReadError
from ibr.logic.surface import templates
from ibr.logic.surface.wording import base_form, third_person
from ibr.theory import Kind, Problem, Question, Sentence, Theory

MAX_UNREAD: Final = 0.15  # of the sentences; with more, the theory is not changed
_MAX_INSTANCES: Final = 40  # of one rule, with one variable
_PLAIN: Final = re.compile(r"[a-z0-9]+")
_ONE_VERB: Final = re.compile(r"[a-z]+s")  # likes, not: may like
_BY: Final = "by "


@dataclass(frozen=True, slots=True)
class NormalisedTheory:
    """A theory for a model; its sentence i stands for sentence `source[i]` of the rulebook."""

    theory: Theory
    source: tuple[int, ...]
    is_as_written: bool = False


def as_written(theory: Theory) -> NormalisedTheory:
    return NormalisedTheory(theory, tuple(range(len(theory))), is_as_written=True)


def prepare(
    problem: Problem, words: ModelWords, rewrite: bool
) -> tuple[NormalisedTheory, Question]:
    """A problem for a model: every kind known and, with `rewrite`, in template sentences."""
    theory = with_kinds(problem.theory, words.kinds)
    if rewrite:
        return normalise(theory, problem.question, words.known)
    return as_written(theory), problem.question


def with_kinds(theory: Theory, kinds: KindClassifier) -> Theory:
    """Fill in unknown kinds of sentences: by the parser, else by a classifier.

    So no kind is UNKNOWN; what the parser takes for a remark is one. Of a text that is mostly
    unreadable, the parser's kind counts only for template sentences: it reads the rest of such
    a text too narrowly.
    """
    if all(sentence.kind is not Kind.UNKNOWN for sentence in theory):
        return theory
    readings = readings_of(theory)
    is_readable = sum(not r.readable for r in readings) <= MAX_UNREAD * len(theory)
    sentences = []
    for sentence, reading in zip(theory, readings, strict=True):
        kind = sentence.kind
        if kind is Kind.UNKNOWN:
            trusted = reading.exact or is_readable or reading.kind is Kind.REMARK
            by_parser = reading.readable and trusted
            kind = reading.kind if by_parser else kinds.kind_of(sentence.text)
        sentences.append(Sentence(sentence.text, kind))
    return replace(theory, sentences=tuple(sentences))


def normalise(
    theory: Theory, question: Question, known: KnownWords
) -> tuple[NormalisedTheory, Question]:
    """Theory and question for a model; no sentence may have the kind UNKNOWN."""
    rewriter = rewriter_of(theory, known)
    if rewriter is None:
        return as_written(theory), Question(_statement(theory, question.text))
    try:
        asked = logic_of(theory, question.text).question
        return rewriter.normalised, Question(rewriter.write(asked))
    except ValueError:  # or a ReadError: the question's words are not those of the new theory
        return as_written(theory), question


def _statement(theory: Theory, text: str) -> str:
    """A template sentence as it is, anything else that can be read as a template sentence."""
    if templates.parse(text) is not None:
        return text
    try:
        return say(logic_of(theory, text).question)
    except ReadError:
        return text


@lru_cache(maxsize=256)
def rewriter_of(theory: Theory, known: KnownWords) -> _Rewriter | None:
    """None if the theory is not to be changed."""
    stating = [sentence for sentence in theory if sentence.kind is not Kind.REMARK]
    free = [sentence for sentence in stating if templates.parse(sentence.text) is None]
    most = int(MAX_UNREAD * len(stating))
    if not free:
        return None
    rows = zip(theory, readings_of(theory), program_of(theory).clauses, strict=True)
    # None where the parser takes it for another kind of sentence.
    clauses = [own if reading.kind is s.kind else () for s, reading, own in rows]
    unread = sum(not own for s, own in zip(theory, clauses, strict=True) if s in free)
    return None if unread > most or unread == len(free) else _Rewriter(theory, clauses, known)


class _Rewriter:
    """Writes the clauses of one theory, each phrase as one word."""

    def __init__(self, theory: Theory, read: list[tuple[Clause, ...]], known: KnownWords) -> None:
        clauses = [clause for own in read for clause in own]
        literals = [literal for clause in clauses for literal in (clause.head, *clause.body)]
        active = {lit.relation for lit in literals if is_variable(lit.subject)}
        self._passive = {lit.relation for lit in literals if is_variable(lit.object)} - active
        literals = [self._turned(literal) for literal in literals]
        self._subjects = {literal.subject for literal in literals}
        self._open = {lit.relation for lit in literals if is_variable(lit.object)}
        self._words = _PhraseWords(known)
        self._program = [_mapped(self._turned, clause) for clause in clauses]
        pairs = [(new, k) for k, old in enumerate(theory) for new in self._rewritten(old, read[k])]
        sentences, source = zip(*pairs, strict=True)
        self.normalised = NormalisedTheory(Theory(sentences), source)
        self._words.is_closed = True

    def write(self, literal: Literal) -> str:
        """Raises ValueError if no template expresses it."""
        return templates.write_clause(Clause(self._worded(self._turned(literal))))

    def _rewritten(self, sentence: Sentence, own: tuple[Clause, ...]) -> list[Sentence]:
        """One for each clause; as written where a clause has no template."""
        made = []
        for clause in own:
            if any(condition.sign is Sign.NEGATIVE for condition in clause.body):
                return [sentence]  # in a condition of a template, not means that nothing shows it
            try:
                for way in one_variable(_mapped(self._turned, clause), self._program):
                    bound = way.bind(dict.fromkeys(way.variables, templates.VARIABLE))
                    text = templates.write_clause(_mapped(self._worded, bound))
                    made.append(Sentence(text, Kind.RULE if way.body else Kind.FACT))
            except ValueError:
                return [sentence]
        return made or [sentence]

    def _turned(self, literal: Literal) -> Literal:
        """A relation whose variable is always the object is written in the passive."""
        if literal.relation not in self._passive or not literal.object:
            return literal
        subject, relation, object_, sign = literal
        return Literal(object_, f"{_BY}{relation}", subject, sign)

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
        """Whether its object is never an entity or a variable elsewhere: "has a badge"."""
        is_other = is_variable(literal.object) or literal.object in self._subjects
        return not is_other and literal.relation not in self._open

    def _named(self, entity: str) -> str:
        if is_variable(entity):
            return entity
        word = self._words.of(entity)
        return Name(word.capitalize() if entity[:1].isupper() else word)


def _mapped(change: Callable[[Literal], Literal], clause: Clause) -> Clause:
    return Clause(change(clause.head), tuple(map(change, clause.body)))


class _PhraseWords:
    """One word for each phrase: no two have the same stem, and none is a function word."""

    def __init__(self, known: KnownWords) -> None:
        self._known = known
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()
        self.is_closed = False  # then new phrases are not kept: they are only in questions

    def of(self, phrase: str, is_verb: bool = False) -> str:
        """A verb, given in the third person, has the same stem in both of its forms."""
        if phrase in self._made:
            return self._made[phrase]
        base = base_form(phrase) if is_verb and _ONE_VERB.fullmatch(phrase) else phrase
        spelled = "".join(_PLAIN.findall(base.lower())) or "x"  # "the server room": theserverroom
        word = next(
            w
            for w in chain([spelled], (f"{spelled}{number}" for number in count(2)))
            if stem(w) not in self._taken
            and not self._known.is_function_word(w)
            and (not is_verb or stem(third_person(w)) == stem(w))
        )
        if not self.is_closed:
            self._made[phrase] = word
            self._taken.add(stem(word))
        return word


def one_variable(clause: Clause, program: Sequence[Clause]) -> list[Clause]:
    """The same as rules of at most one variable, which is only a subject, as in templates.

    The others are replaced by what they may stand for: "If X beats Y and Y beats Z then X outranks
    Z" is, with Ann, Bob and Cid, "If someone beats Bob and Bob beats Cid then they outrank Cid" and
    so on. Instances that no sentence could ever fire are left out. Raises ValueError if they are
    too many, or if none is left.
    """
    fixed = sorted(clause.variables - {_kept(clause)})
    if not fixed:
        return [clause]
    heads = [other.head for other in program]
    entities = sorted(entities_of(program))
    choices = [
        [entity for entity in entities if _may_fire(clause.bind({variable: entity}), heads)]
        for variable in fixed
    ]
    if prod(map(len, choices)) > _MAX_INSTANCES:
        raise ValueError(f"more than {_MAX_INSTANCES} instances: {clause}")
    made = (clause.bind(dict(zip(fixed, chosen, strict=True))) for chosen in product(*choices))
    alive = [instance for instance in made if _may_fire(instance, heads)]
    if not alive:
        raise ValueError(f"nothing could fire {clause}")
    return alive


def _kept(clause: Clause) -> str | None:
    """The variable that stays: a subject only, of a condition; the conclusion's if possible."""
    objects = {literal.object for literal in (clause.head, *clause.body)}
    subjects = [literal.subject for literal in clause.body]
    for term in (clause.head.subject, *subjects):
        if is_variable(term) and term in subjects and term not in objects:
            return term
    return None


def _may_fire(clause: Clause, heads: Sequence[Literal]) -> bool:
    """Whether some sentence might show every positive condition."""
    return all(
        any(head.positive and may_match(literal, head) for head in heads)
        for literal in clause.body
        if literal.positive
    )
