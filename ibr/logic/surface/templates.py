"""RuleTaker's English ⇄ clauses, exactly: what is read is written back the same.

The fast path: patterns over words classified by their neighbours alone, so any vocabulary is
accepted; only where a word may mean something else than its place suggests ("Smoking is bad", "the
dogs") the lexicon of ordinary English decides. `parse` is None for everything that is not word for
word a template; `ibr.logic.english` reads the rest.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ibr.logic.clause import Clause, Literal, Name, Sign, is_variable
from ibr.logic.reading import Form, Phrasing, Reading, Style
from ibr.logic.surface.wording import (
    attribute,
    base_form,
    noun_phrase,
    predicate,
    sentence,
    third_person,
)
from ibr.logic.surface.words import GIVEN_NAMES, NATIONS, PARTICLES, PREPOSITIONS, STRUCTURE
from ibr.theory import Kind

VARIABLE = "?x"
_NOUN = "(?:tW+|N+)"
_LITERAL = re.compile(
    rf"(?P<subject>[xy]|{_NOUN})?"
    rf"(?:=?(?P<attribute>!?aW|!?W)|(?P<verb>V|B|d!B)(?P<object>{_NOUN})|(?P<can>[+-])B)"
)
_ALL = re.compile("(?:AW|N)(?:,W)*k=!?a?W")
_CLOSED = {
    ".": ".", ",": ",", "If": "I", "then": "T", "All": "A", "and": "&", "not": "!", "is": "=",
    "are": "=", "does": "d", "do": "d", "can": "+", "cannot": "-", "the": "t", "The": "t", "a": "a",
    "an": "a", "people": "k", "things": "k", "someone": "x", "something": "x", "it": "x",
    "they": "y",
}  # fmt: skip
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.,]|\S")
_CONTRACTED = re.compile(r"['’](?:s|t|re|ve|ll|d|m)$")


class TemplateWord(NamedTuple):
    """`type` is one letter: of `_CLOSED`, or N for a name, W for another word, V for a third person
    and B for a base form, each with its particle ("runs through"), ? for what no template has."""

    type: str
    text: str


def _classify(text: str) -> Iterator[TemplateWord]:
    """Words by shape and neighbours: a word in -s before "the" or a name is a verb."""
    words: list[str] = _TOKEN.findall(text)
    i, before, count = 0, "", len(words)
    while i < count:
        word = words[i]
        type_ = _CLOSED.get(word) or _open_class(word)
        i += 1
        if type_ == "W":
            noun_follows = i < count and _opens_noun(words[i])
            particle = i + 1 < count and words[i] in PARTICLES and _opens_noun(words[i + 1])
            if before in ("y", "+", "-") or (before == "!" and words[i - 3] in ("do", "does")):
                type_ = "B"
            elif word.endswith("s") and not word.endswith("ss") and (particle or noun_follows):
                type_ = "V"
            if particle and type_ != "W":
                word, i = f"{word} {words[i]}", i + 1
        before = type_
        yield TemplateWord(type_, word)


def _open_class(word: str) -> str:
    if not word[0].isalnum() or word.lower() in STRUCTURE or _CONTRACTED.search(word):
        return "?"
    if len(word) == 1 and word.isupper():
        return "?"  # a variable: If X likes Y …
    return "N" if word[0].isupper() else "W"


def _opens_noun(word: str) -> bool:
    return word == "the" or (word not in _CLOSED and word[0].isupper())


class _NotATemplate(ValueError):
    """The shape of a template, but its words show that it means something else."""


def _clause(words: Sequence[TemplateWord]) -> Clause:
    """The clause of a sentence in the shape of a template (`docs/formats.md`, section 5).

    More is accepted than the templates: `parse` writes the clause again and compares.
    """
    *words, stop = words
    types = "".join(word.type for word in words)
    if stop.type != ".":
        raise _NotATemplate
    if types.startswith("I"):
        conditions, head = _split(words[1:], "T")
        body: list[Literal] = []
        for part in _split(conditions, "&"):
            literal = _literal(part, body[-1].subject if body else None)
            body.append(literal if literal.positive else literal._replace(sign=Sign.NAF))
        return Clause(_literal(head), tuple(body))
    if _ALL.fullmatch(types):
        kind = types.index("k")
        first, *others = (word.text for word in words[:kind] if word.type in "NW")
        if first.lower() in NATIONS or _is_adverb(first.lower()):
            raise _NotATemplate
        adjectives = [first[0].lower() + first[1:], *others]
        of_all = tuple(Literal(VARIABLE, "is", Name(word, word)) for word in adjectives)
        return Clause(_literal(words[kind + 1 :], VARIABLE), of_all)
    return Clause(_literal(words))


def _split(words: Iterable[TemplateWord], mark: str) -> list[list[TemplateWord]]:
    parts = groupby(words, lambda word: word.type == mark)
    return [[*part] for is_mark, part in parts if not is_mark]


def _literal(words: Sequence[TemplateWord], subject: str | None = None) -> Literal:
    """`subject` is that of what is elided: "and not big"."""
    found = _LITERAL.fullmatch("".join(word.type for word in words))
    if found is None:
        raise _NotATemplate
    if found["subject"]:
        end = found.end("subject")
        subject = VARIABLE if found["subject"] in "xy" else _noun_phrase(words[:end])
    if subject is None:
        raise _NotATemplate
    word = words[-1].text
    if found["attribute"]:
        article = f"{words[-2].text} " if "a" in found["attribute"] else ""
        sign = Sign.NEGATIVE if "!" in found["attribute"] else Sign.POSITIVE
        return Literal(subject, "is", Name(word, article + word), sign)
    if found["can"]:
        sign = Sign.NEGATIVE if found["can"] == "-" else Sign.POSITIVE
        return Literal(subject, f"can {word}", "", sign)
    verb, thing = words[found.end("verb") - 1], _noun_phrase(words[found.start("object") :])
    if _is_plural(thing):
        raise _NotATemplate
    sign = Sign.NEGATIVE if "!" in found["verb"] else Sign.POSITIVE
    return Literal(subject, verb.text if verb.type == "V" else third_person(verb.text), thing, sign)


def _noun_phrase(found: Sequence[TemplateWord]) -> Name:
    words = [word.text for word in found]
    if found[0].type == "t":
        words = words[1:]
        if not PREPOSITIONS.isdisjoint(words) or (len(words) > 1 and _has_verb(words)):
            raise _NotATemplate
        return Name(" ".join(words), f"the {' '.join(words)}")
    if not (_is_name(words[0]) if len(words) == 1 else _is_full_name(words)):
        raise _NotATemplate
    return Name(" ".join(words))


def _has_verb(words: Sequence[str]) -> bool:
    """The mechanic repairs …: a word in -s inside a noun phrase is more likely its verb."""
    return any(w.endswith("s") and not w.endswith(("ss", "us", "is")) for w in words)


def _is_name(word: str) -> bool:
    """Bob, and not the Smoking of "Smoking is bad"."""
    if word.lower() in GIVEN_NAMES:
        return True
    from ibr.logic.english.lexis.people import is_common

    return not is_common(word)


def _is_adverb(word: str) -> bool:
    """Interestingly, kind people are nice."""
    if not word.endswith("ly"):
        return False
    from ibr.logic.english.lexis.forms import ADJECTIVE, classes

    return ADJECTIVE not in classes(word)


def _is_full_name(words: Sequence[str]) -> bool:
    """Mary Lou, and not Big Dave, who may be big."""
    from ibr.logic.english.lexis.people import is_property

    return not is_property(words[0], words[1])


def _is_plural(name: str) -> bool:
    """The dogs of "The cat likes the dogs" are no constant; the bus is."""
    if name[:1].isupper() or not name.endswith("s") or name.endswith(("ss", "us", "is")):
        return False
    from ibr.logic.english.lexis.forms import PLURAL, classes

    return PLURAL in classes(name.rpartition(" ")[2])


def parse(text: str) -> Reading | None:
    """The clause of a template sentence; None if `text` is not exactly one."""
    phrasing, words = _phrasing(text), [*_classify(text)]
    plain = text
    for verb in (word.text for word in words if word.type == "B"):  # to brizze, which brizzes
        plain = plain.replace(f" {verb} ", f" {base_form(third_person(verb))} ")
    try:
        clause = _clause(words)
        if write_clause(clause, phrasing) != plain:
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
    if any(is_variable(literal.object) for literal in (clause.head, *clause.body)):
        raise ValueError(f"no template has a variable as object: {clause}")
    person = phrasing.style is Style.PERSON
    parts: list[str] = []
    met = continues = False  # the variable occurs before; the last condition is its attribute
    for literal in clause.body:
        if continues and _is_attribute(literal):
            parts.append(f"{'' if literal.positive else 'not '}{attribute(literal.object)}")
        else:
            parts.append(_about(literal, person, met))
        met |= is_variable(literal.subject)
        continues = _is_attribute(literal)
    return sentence(f"if {' and '.join(parts)} then {_about(clause.head, person, True)}")


def _about(literal: Literal, person: bool, met: bool) -> str:
    if not is_variable(literal.subject):
        return f"{noun_phrase(literal.subject)} {predicate(literal)}"
    if met:
        return f"{'they' if person else 'it'} {predicate(literal, plural=person)}"
    return f"{'someone' if person else 'something'} {predicate(literal)}"
