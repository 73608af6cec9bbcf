"""RuleTaker's English ⇄ clauses, exactly: what is read is written back the same.

The fast path: a grammar over words classified by their neighbours alone, so any vocabulary is
accepted, parsed from left to right without a library, which would take longer to load. `parse` is
None for everything that is not word for word a template; `ibr.logic.english` reads the rest.
"""

from ibr.logic.clause import Clause, Literal, Name, Sign, is_variable
from ibr.logic.reading import Form, Phrasing, Reading, Style
from ibr.logic.surface.template_words import (
    TemplateWord,
    classify,
    has_verb,
    is_adverb,
    is_full_name,
    is_name,
    is_plural,
)
from ibr.logic.surface.wording import attribute, noun_phrase, predicate, sentence, third_person
from ibr.logic.surface.words import NATIONS, PREPOSITIONS
from ibr.theory import Kind

VARIABLE = "?x"
_END = [TemplateWord("END", "")]


class _Parser:
    """A method for each phrase; `docs/formats.md` section 5 has examples.

    sentence:   (fact | rule) "."
    fact:       np predicate
    rule:       "If" conditions "then" clause | ["All"] word {"," word} kind "are" attribute
    conditions: clause {"and" (clause | attribute)}
    clause:     "someone" predicate | "it" predicate | "they" predicate | np predicate
    predicate:  "is" attribute | verb np | "does" "not" base np | ("can" | "cannot") base
    attribute:  ["not"] [article] word
    np:         "the" word {word} | name {name}

    The predicate of "they" has "are", a base form and "do" instead. Which of them is right is not
    looked at here: `parse` writes the clause again and compares.
    """

    def __init__(self, text: str) -> None:
        self._words = [*classify(text), *_END]
        self._at = 0

    def whole(self) -> Clause:
        clause = self._rule_or_fact()
        self._take("_DOT")
        self._take("END")
        return clause

    def _sees(self, *types: str) -> bool:
        return self._words[self._at].type in types

    def _take(self, type_: str) -> str:
        if not self._sees(type_):
            raise _NotATemplate
        self._at += 1
        return self._words[self._at - 1].text

    def _pass(self, *types: str) -> bool:
        """Whether one of them is there; then it is taken."""
        found = self._sees(*types)
        self._at += found
        return found

    def _take_all(self, type_: str) -> list[str]:
        taken = [self._take(type_)]
        while self._sees(type_):
            taken.append(self._take(type_))
        return taken

    def _rule_or_fact(self) -> Clause:
        if self._pass("_IF"):
            body = tuple(
                literal if literal.positive else literal._replace(sign=Sign.NAF)
                for literal in self._conditions()
            )
            self._take("_THEN")
            return Clause(self._clause(), body)
        if self._pass("_ALL"):
            return self._all_rule(self._take("WORD"))
        if self._sees("NAME") and self._words[self._at + 1].type in ("_COMMA", "_KIND"):
            return self._all_rule(self._take("NAME"))
        return Clause(self._predicate(self._noun_phrase()))

    def _all_rule(self, first: str) -> Clause:
        if first.lower() in NATIONS or is_adverb(first.lower()):
            raise _NotATemplate
        adjectives = [first[0].lower() + first[1:]]
        while self._pass("_COMMA"):
            adjectives.append(self._take("WORD"))
        self._take("_KIND")
        self._take("_ARE")
        body = tuple(Literal(VARIABLE, "is", Name(word, word)) for word in adjectives)
        return Clause(self._attribute(VARIABLE), body)

    def _conditions(self) -> list[Literal]:
        literals = [self._clause()]
        while self._pass("_AND"):
            if self._sees("NOT", "ARTICLE", "WORD"):
                literals.append(self._attribute(literals[-1].subject))
            else:
                literals.append(self._clause())
        return literals

    def _clause(self) -> Literal:
        is_variable = self._pass("_SOMEONE", "_IT", "_THEY")
        return self._predicate(VARIABLE if is_variable else self._noun_phrase())

    def _predicate(self, subject: str) -> Literal:
        if self._pass("_IS", "_ARE"):
            return self._attribute(subject)
        if self._sees("VERB"):
            return self._transitive(subject, self._take("VERB"), Sign.POSITIVE)
        if self._sees("BASE"):
            return self._transitive(subject, third_person(self._take("BASE")), Sign.POSITIVE)
        if self._pass("_DOES", "_DO"):
            self._take("NOT")
            return self._transitive(subject, third_person(self._take("BASE")), Sign.NEGATIVE)
        sign = Sign.NEGATIVE if self._pass("CANNOT") else Sign.POSITIVE
        if sign is Sign.POSITIVE:
            self._take("_CAN")
        return Literal(subject, f"can {self._take('BASE')}", "", sign)

    def _transitive(self, subject: str, relation: str, sign: Sign) -> Literal:
        thing = self._noun_phrase()
        if is_plural(thing):
            raise _NotATemplate
        return Literal(subject, relation, thing, sign)

    def _attribute(self, subject: str) -> Literal:
        sign = Sign.NEGATIVE if self._pass("NOT") else Sign.POSITIVE
        article = self._take("ARTICLE") + " " if self._sees("ARTICLE") else ""
        word = self._take("WORD")
        return Literal(subject, "is", Name(word, article + word), sign)

    def _noun_phrase(self) -> Name:
        if self._pass("_THE"):
            words = self._take_all("WORD")
            if not PREPOSITIONS.isdisjoint(words) or (len(words) > 1 and has_verb(words)):
                raise _NotATemplate
            return Name(" ".join(words), f"the {' '.join(words)}")
        names = self._take_all("NAME")
        if not (is_name(names[0]) if len(names) == 1 else is_full_name(names)):
            raise _NotATemplate
        return Name(" ".join(names))


class _NotATemplate(ValueError):
    """The shape of a template, but its words show that it means something else."""


def parse(text: str) -> Reading | None:
    """The clause of a template sentence; None if `text` is not exactly one."""
    phrasing = _phrasing(text)
    try:
        clause = _Parser(text).whole()
        if write_clause(clause, phrasing) != text:
            return None
    except ValueError:
        return None
    if clause.is_fact:
        return Reading(text, Kind.FACT, (clause,))
    return Reading(text, Kind.RULE, (clause,), phrasing)


def _phrasing(text: str) -> Phrasing:
    form = Form.IF if text.startswith("If ") else Form.ALL if text.startswith("All ") else Form.BARE
    thing = {"something", "it", "things"}.intersection(text.rstrip(".").split())
    return Phrasing(form, Style.THING if thing else Style.PERSON)


def write_literal(literal: Literal) -> str:
    """`Literal("cat", "likes", "dog", Sign.NEGATIVE)` → "The cat does not like the dog." """
    return sentence(f"{noun_phrase(literal.subject)} {predicate(literal)}")


def write_clause(clause: Clause, phrasing: Phrasing | None = None) -> str:
    """A fact or a rule of at most one variable; ValueError if the phrasing cannot express it."""
    if clause.is_fact:
        return write_literal(clause.head)
    if clause.variables - {VARIABLE} or not clause.body:
        raise ValueError(f"no template says {clause}")
    phrasing = phrasing or Phrasing()
    return _write_if(clause, phrasing) if phrasing.form is Form.IF else _write_all(clause, phrasing)


def can_be_bare(clause: Clause) -> bool:
    """Whether "All … things are …" can express it: positive attributes of the variable only."""
    attributes = all(_is_attribute(lit) and lit.positive for lit in clause.body)
    return attributes and _is_attribute(clause.head) and bool(clause.body)


def _is_attribute(literal: Literal) -> bool:
    return is_variable(literal.subject) and literal.relation == "is"


def _write_all(clause: Clause, phrasing: Phrasing) -> str:
    if not can_be_bare(clause):
        raise ValueError(f"the form {phrasing.form} cannot say {clause}")
    adjectives = [attribute(literal.object) for literal in clause.body]
    if any(" " in adjective for adjective in adjectives):
        raise ValueError(f"{adjectives} cannot stand before a noun")
    kind = "people" if phrasing.style is Style.PERSON else "things"
    every = "all " if phrasing.form is Form.ALL else ""
    return sentence(f"{every}{', '.join(adjectives)} {kind} {predicate(clause.head, plural=True)}")


def _write_if(clause: Clause, phrasing: Phrasing) -> str:
    person = phrasing.style is Style.PERSON
    parts: list[str] = []
    previous: Literal | None = None
    for literal in clause.body:
        parts.append(_condition(literal, previous, person, bool(parts) and _met(clause, literal)))
        previous = literal
    if is_variable(clause.head.object):
        raise ValueError(f"no template has a variable as object: {clause}")
    return sentence(f"if {' and '.join(parts)} then {_about(clause.head, person, True)}")


def _met(clause: Clause, literal: Literal) -> bool:
    """Whether the variable occurs before this condition."""
    before = clause.body[: clause.body.index(literal)]
    return any(is_variable(earlier.subject) for earlier in before)


def _condition(literal: Literal, previous: Literal | None, person: bool, met: bool) -> str:
    if is_variable(literal.object):
        raise ValueError(f"no template has a variable as object: {literal}")
    if previous is not None and _is_attribute(previous) and _is_attribute(literal):
        words = attribute(literal.object)
        return words if literal.positive else f"not {words}"
    return _about(literal, person, met)


def _about(literal: Literal, person: bool, met: bool) -> str:
    if not is_variable(literal.subject):
        return f"{noun_phrase(literal.subject)} {predicate(literal)}"
    if met:
        return f"{'they' if person else 'it'} {predicate(literal, plural=person)}"
    return f"{'someone' if person else 'something'} {predicate(literal)}"
