"""Meaning → clauses: references resolved, conditions spread over alternatives, signs given.

Raises Refusal for what is understood and yet cannot be said in clauses ("or" in a conclusion, a
pronoun without a referent), so that it is reported and not guessed.
"""

from __future__ import annotations

from typing import NamedTuple

from ibr.logic.clause import Clause, Literal, Name, Sign, is_variable
from ibr.logic.english.meaning import (
    NP, About, All, Any, Atom, Elided, Formula, Given, Not, Rule, Several, Unclear, Under,
)  # fmt: skip
from ibr.logic.english.nouns import is_a
from ibr.logic.english.scope import Refusal, Scope, as_many, constant, surface, with_article
from ibr.logic.english.spread import OR, heads, spread
from ibr.logic.english.verbs import FIXED
from ibr.logic.words import MODALS, words

_UNIVERSAL = words("every each all everyone everybody everything")
_NEGATIVE = words("no nobody nothing no-one") | {"no one"}
_OPEN = words("a an any every each all no bare")
_EXISTENTIAL = words("someone somebody something")
_COLLECTIVE = words(
    """shares meets marries differs cooperates collaborates divorces married divorced engaged friend
    sibling brother sister neighbour neighbor colleague twin partner couple equal identical
    different related enemy rival spouse cousin opponent roommate classmate teammate alike"""
)
_POSSESSIVE = words("their his her its") | {"his or her", "her or his"}


class Self(NamedTuple):
    """What SELF stands for: a term, and "'s badge " if it is something of that term."""

    term: str
    of: str = ""


class Place(NamedTuple):
    """Where a phrase stands: in a condition, and under a negation."""

    condition: bool
    negated: bool = False


def clauses_of(rule: Rule) -> tuple[Clause, ...]:
    return _Sentence(rule).clauses()


class _Sentence:
    def __init__(self, rule: Rule) -> None:
        self.rule, self.scope = rule, Scope()
        self.generic: NP | None = None  # "a visitor" as the main subject
        self.asides: list[Formula] = []  # facts said in passing: "Tom, who is a member, …"

    def clauses(self) -> tuple[Clause, ...]:
        rule, body, excepted = self.rule, [], []
        strict: list[Formula] = []  # of "only if": without them, not
        both: list[Formula] = []  # of "if and only if"
        bins = {"IF": body, "UNLESS": body, "ONLY_IF": strict, "IFF": both}

        def take(under: Under) -> None:
            if under.how == "EXCEPT":
                excepted.append(under.formula)
                return
            negative = under.how == "UNLESS"
            formula = self.resolve(under.formula, None, Place(True, negative))
            bins[under.how].append(Not(formula) if negative else formula)

        for under in rule.before:
            take(under)
        main = self.resolve(rule.main, None, Place(False))
        for under in rule.after:
            take(under)
        body += [self.resolve(f, self.main_self(), Place(True)) for f in excepted]
        found = self.asides_clauses()
        for conditions, head in heads(main, ()):
            found += self.rules(head, [*conditions, *body], strict, both)
        return tuple(dict.fromkeys(found))

    def main_self(self) -> Self:
        variables = [r.term for r in self.scope.referents if is_variable(r.term)]
        if len(variables) != 1:
            raise Refusal("it is not clear from what the exception is taken")
        return Self(variables[0])

    def asides_clauses(self) -> list[Clause]:
        return [
            clause
            for aside in self.asides
            for conditions, head in heads(aside, ())
            for clause in spread(head, [*conditions])
        ]

    def rules(
        self, head: Literal, body: list[Formula], strict: list[Formula], both: list[Formula]
    ) -> list[Clause]:
        if self.rule.only:
            return self.only_rules(head, body)
        found: list[Clause] = []
        if not strict:
            found += spread(head, [*body, *both])
        if strict or both:
            if not head.positive:
                raise Refusal('"not … only if …" says two negations')
            found += spread(head.negation, [*body, Not(All((*strict, *both)))])
        return found

    def only_rules(self, head: Literal, body: list[Formula]) -> list[Clause]:
        """Only members may enter: who is no member may not."""
        if not head.positive or not body:
            raise Refusal('"only" with a negation, or with nobody in particular')
        kind, *rest = body
        return spread(head.negation, [*rest, Not(kind)])

    # Formula → formula of Literals

    def resolve(self, formula: Formula, me: Self | None, place: Place) -> Formula:
        match formula:
            case Atom():
                return self.literal(formula, me, place)
            case All(items):
                return All(tuple(self.resolve(item, me, place) for item in items))
            case Any(items):
                return Any(tuple(self.resolve(item, me, place) for item in items))
            case Not(item):
                return Not(self.resolve(item, me, place._replace(negated=True)))
            case About(subject, said) if isinstance(subject, Several):
                return self.several(subject, said, place)
            case About(subject, said):
                assert isinstance(subject, NP)
                return self.about(subject, said, me, place)
            case Unclear(reason):
                raise Refusal(reason)
            case Elided(aux):
                raise Refusal(f'it is not clear what follows "{aux}"')
        return formula

    def about(self, subject: NP, said: Formula, me: Self | None, place: Place) -> Formula:
        who, given, negative = self.subject(subject, me, place)
        inner = self.resolve(said, who, place._replace(negated=place.negated or negative))
        if negative:
            inner = Not(inner)
        if not given:
            return inner
        if place.condition:
            return All((*given, inner))
        return Given(All(given), inner)

    def several(self, subjects: Several, said: Formula, place: Place) -> Formula:
        """Tom and Ann; members and guests (one variable, two rules)."""
        if subjects.link == "and" and _is_collective(said):
            raise Refusal("it speaks of a group: say it of each")
        kinds = [np for np in subjects.items if _is_open(np)]
        if subjects.link == "or" and not place.condition:
            raise Refusal(OR)
        if len(kinds) < len(subjects.items) or subjects.link == "nor":
            if kinds and place.condition:
                raise Refusal("its condition lists names beside kinds")
            inner = [self.about(np, said, None, place) for np in subjects.items]
            inner = [Not(f) for f in inner] if subjects.link == "nor" else inner
            return Any(tuple(inner)) if subjects.link == "or" else All(tuple(inner))
        if place.condition and subjects.link == "and":
            raise Refusal("its condition asks for several kinds at once")
        return self.kinds(kinds, said, place)

    def kinds(self, kinds: list[NP], said: Formula, place: Place) -> Formula:
        if any(np.det in _NEGATIVE for np in kinds):
            raise Refusal('"no" in a list')
        variable = self.scope.introduce(kinds[0])
        for np in kinds[1:]:
            self.scope.note(variable, np)
        me = Self(variable)
        given = Any(tuple(self.resolve(is_a(np), me, Place(True)) for np in kinds))
        inner = self.resolve(said, me, place)
        return All((given, inner)) if place.condition else Given(given, inner)

    def literal(self, atom: Atom, me: Self | None, place: Place) -> Formula:
        if FIXED in atom.relation.split():
            raise Refusal("its relative clause is in another tense than its verb")
        for np in atom.between:
            self.check_between(np)
        given: tuple[Formula, ...] = ()
        subject, negative = me, False
        if atom.subject.kind != "self":
            subject, given, negative = self.subject(atom.subject, me, place)
        assert subject is not None
        relation = f"{subject.of}{atom.relation}"
        self.check_generic(atom.relation, place)
        object_, more = self.object(atom, me, subject, place)
        literal: Formula = Literal(subject.term, relation, object_)
        if negative:
            literal = Not(literal)
        if not given and not more:
            return literal
        if place.condition:
            return All((*given, *more, literal))
        return Given(All((*given, *more)), literal)

    def check_generic(self, relation: str, place: Place) -> None:
        """ "A visitor lost a badge" tells of one visitor, "a visitor wears a badge" of all."""
        simple = not self.rule.before and not self.rule.after
        if self.generic is None or place.condition or not simple:
            return
        first = relation.partition(" ")[0]
        if first == "was" or (first not in MODALS and not first.endswith("s")):
            raise Refusal(f'"{surface(self.generic)}" in the past: which?')

    def check_between(self, np: NP) -> None:
        """A noun phrase inside a relation is only words there, so it may not refer."""
        for test in np.tests:
            if isinstance(test, Unclear):
                raise Refusal(test.reason)
        refers = np.kind not in ("name", "kind", "attribute", "owned")
        if refers or np.det in _UNIVERSAL or self.scope.definite(np):
            raise Refusal(f'"{np.key}" inside its verb phrase refers to someone: say it otherwise')

    # Noun phrase → who it is, and what that takes for granted

    def subject(
        self, np: NP, me: Self | None, place: Place
    ) -> tuple[Self, tuple[Formula, ...], bool]:
        if np.kind == "owned":
            assert np.owner is not None
            owner, given, negative = self.owner(np.owner, me, place)
            return Self(owner.term, f"{owner.of}'s {np.key} "), given, negative
        if np.kind == "kind" and np.det in _POSSESSIVE:
            owner = Self(self.scope.pronoun(np.det))
            return Self(owner.term, f"'s {np.key} "), (), False
        if np.kind == "agent":
            return self.agent(np, place), (), False
        if _is_open(np):
            return self.open(np, place)
        term = self.term(np, None)
        if not is_variable(term):
            self.scope.note(term, np)
            self.aside(np, term)
        return Self(term), (), False

    def agent(self, np: NP, place: Place) -> Self:
        """signed by an adult: the constant of its kind, as objects are."""
        kind = np._replace(kind="kind")
        if np.det in ("a", "an", "bare", "any") and place.condition and not place.negated:
            raise Refusal(f'"by {surface(kind)}" in a condition: say "{surface(kind)} …s it"')
        if np.det in _UNIVERSAL | _NEGATIVE:
            raise Refusal(f'"by {np.det} {np.key}" speaks of all at once')
        name = Name(np.key)
        return Self(self.scope.definite(kind) or self.scope.note(name, kind))

    def owner(
        self, np: NP, me: Self | None, place: Place
    ) -> tuple[Self, tuple[Formula, ...], bool]:
        if np.kind == "self":
            assert me is not None
            return me, (), False
        return self.subject(np, me, place)

    def open(self, np: NP, place: Place) -> tuple[Self, tuple[Formula, ...], bool]:
        """A new variable: an employee, anyone who …, no member, all guests."""
        self.check_open(np, place)
        if not place.condition and np.det in ("a", "an", "bare"):
            self.generic = np
        me = Self(self.scope.introduce(np))
        formula = is_a(np) if np.parts or np.tests else All(())
        given = self.resolve(formula, me, Place(True))
        return me, (given,) if np.parts or np.tests else (), np.det in _NEGATIVE

    def check_open(self, np: NP, place: Place) -> None:
        if place.condition and np.det in _UNIVERSAL | _NEGATIVE:
            raise Refusal(f'"{np.det}" in a condition speaks of all at once')
        if place.condition and place.negated:
            raise Refusal(f'"{np.key}" under a negation: nobody in particular')
        if not place.condition and np.det in _EXISTENTIAL and not np.tests:
            raise Refusal(f'"{np.det}" says that there is one, but not which')

    def object(
        self, atom: Atom, me: Self | None, subject: Self, place: Place
    ) -> tuple[str, tuple[Formula, ...]]:
        np = atom.object
        if np is None:
            return "", ()
        if np.kind == "self":
            assert me is not None
            if me.of:
                return _possession(me), ()
            return me.term, ()
        if np.kind == "attribute":
            return Name(np.key, with_article(np.key) if np.det == "a" else np.key), ()
        if np.kind in ("other", "anyone") or np.det in _UNIVERSAL:
            return self.open_object(np, place)
        if np.tests and isinstance(np.tests[0], Unclear):
            raise Refusal(np.tests[0].reason)
        term = self.term(np, subject.term)
        if not is_variable(term):
            self.scope.note(term, np, atom.relation)
            self.aside(np, term)
        return term, ()

    def open_object(self, np: NP, place: Place) -> tuple[str, tuple[Formula, ...]]:
        """every application that …: a condition; someone else: only in a condition."""
        universal = np.det in _UNIVERSAL
        if universal == place.condition or place.negated:
            raise Refusal(f'"{np.key}" as an object speaks of nobody in particular')
        me = Self(self.scope.introduce(np))
        if not np.parts and not np.tests:
            return me.term, ()
        return me.term, (self.resolve(is_a(np), me, Place(True)),)

    def term(self, np: NP, subject: str | None) -> str:
        match np.kind:
            case "letter":
                return self.scope.letter(np.key)
            case "pronoun":
                return self.scope.pronoun(np.key, subject)
            case "owned":
                return self.possessed(np, subject)
            case "kind":
                return self.scope.definite(np) or self.fixed(np, subject)
        return constant(np)

    def possessed(self, np: NP, subject: str | None) -> Name:
        """Ann's badge, a visitor's permit: one constant."""
        assert np.owner is not None
        owner = np.owner
        if owner.kind != "name" and self.scope.definite(owner):
            raise Refusal(f'"{owner.key}\'s {np.key}" as an object depends on who it is')
        article = "a " if owner.det in ("a", "an") else "the " if owner.det == "the" else ""
        return Name(f"{owner.key}'s {np.key}", f"{article}{owner.key}'s {np.key}")

    def fixed(self, np: NP, subject: str | None) -> Name:
        if subject is None and np.plural and np.det == "the":
            raise Refusal(f'"the {as_many(np)}": say "all {as_many(np)}" or name them')
        if subject is None and np.kind == "kind" and np.tests:
            raise Refusal(f'"the {np.key}" with a condition: say it in a sentence of its own')
        if subject is None and np.det in ("this", "that", "these", "those", "such a", "such an"):
            raise Refusal(f'it is not clear what "{np.det} {np.key}" means')
        return constant(np)

    def aside(self, np: NP, term: str) -> None:
        for test in np.tests:
            self.asides.append(self.resolve(test, Self(term), Place(False)))


def _is_collective(said: Formula) -> bool:
    match said:
        case Atom(_, relation, np):
            verb = relation.partition(" ")[0]
            return verb in _COLLECTIVE or (np is not None and np.key in _COLLECTIVE)
        case All(items) | Any(items):
            return any(map(_is_collective, items))
        case Not(item):
            return _is_collective(item)
    return False


def _possession(me: Self) -> Name:
    if is_variable(me.term):
        raise Refusal("something of somebody as an object depends on whose it is")
    return Name(f"{me.term}{me.of}".strip())


def _is_open(np: NP) -> bool:
    """Introduces a variable as a subject."""
    if np.kind in ("anyone", "other"):
        return True
    generic = np.det == "the" and np.plural and bool(np.tests)  # the guests who have a ticket
    return np.kind == "kind" and (generic or np.det in _OPEN)
