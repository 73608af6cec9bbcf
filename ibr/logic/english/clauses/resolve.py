"""Formulas of noun phrases → formulas of Literals: who everything is, and what that asks for.

A Resolver reads one sentence in the order of its words. It refuses what would have to be guessed:
a pronoun with two referents, "a manager" in a conclusion, "every" in a condition.
"""

from __future__ import annotations

from ibr.logic.clause import Literal, Name, is_variable
from ibr.logic.english.clauses.place import Place, Self, Who, granted
from ibr.logic.english.clauses.scope import (
    NEGATIVE,
    UNIVERSAL,
    Refusal,
    Scope,
    as_many,
    constant,
    is_open,
    is_universal,
    surface,
    with_article,
)
from ibr.logic.english.clauses.sense import is_collective, is_weather, recalled
from ibr.logic.english.clauses.spread import OR
from ibr.logic.english.grammar.meaning import (
    NP,
    About,
    All,
    Any,
    Atom,
    Elided,
    Formula,
    Given,
    Not,
    Rule,
    Several,
    Unclear,
)
from ibr.logic.english.grammar.nouns import is_a
from ibr.logic.english.grammar.verbs import FIXED
from ibr.logic.english.lexis.people import is_person
from ibr.logic.words import MODALS, words

_EXISTENTIAL = words("someone somebody something")
_POSSESSIVE = words("their his her its") | {"his or her", "her or his"}
_POINTING = words("this that these those") | {"such a", "such an"}


class Resolver:
    def __init__(self, rule: Rule) -> None:
        self.rule, self.scope = rule, Scope()
        self.recalled = recalled(rule)
        self.generic: NP | None = None  # "a visitor" as the main subject
        self.asides: list[Formula] = []  # facts said in passing: "Tom, who is a member, …"

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
        if subject.key == "it" and is_weather(said):
            raise Refusal('"it" is the weather here: name what is meant')
        who = self.subject(subject, me, place)
        inner = self.resolve(said, who.me, place._replace(negated=place.negated or who.negative))
        return granted(Not(inner) if who.negative else inner, who.given, place)

    def several(self, subjects: Several, said: Formula, place: Place) -> Formula:
        """Tom and Ann; members and guests (one variable, two rules)."""
        if subjects.link == "and" and is_collective(said):
            raise Refusal("it speaks of a group: say it of each")
        kinds = [np for np in subjects.items if is_open(np)]
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
        if any(np.det in NEGATIVE for np in kinds):
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
        who = self.owner(atom.subject, me, place)
        self.check_generic(atom.relation, place)
        object_, more = self.object(atom, me, who.me, place)
        literal = Literal(who.me.term, f"{who.me.of}{atom.relation}", object_)
        said: Formula = Not(literal) if who.negative else literal
        return granted(said, (*who.given, *more), place)

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
        if refers or np.det in UNIVERSAL or self.scope.definite(np):
            raise Refusal(f'"{np.key}" inside its verb phrase refers to someone: say it otherwise')
        if np.kind == "kind":
            self.scope.note(constant(np), np, "")

    # Noun phrase → who it is, and what that takes for granted

    def subject(self, np: NP, me: Self | None, place: Place) -> Who:
        if np.kind == "owned":
            assert np.owner is not None
            owner = self.owner(np.owner, me, place)
            self.scope.note_owned(owner.me.term, np)
            return owner._replace(me=Self(owner.me.term, f"{owner.me.of}'s {np.key} "))
        if np.kind == "kind" and np.det in _POSSESSIVE:
            return Who(Self(self.scope.pronoun(np.det), f"'s {np.key} "))
        if np.kind == "agent" and np.tests:  # used by members who have paid
            return self.subject(np._replace(kind="kind"), me, place)
        if np.kind == "agent":
            return Who(self.agent(np, place))
        if is_open(np):
            return self.open(np, place)
        term = self.term(np, None)
        if np.kind == "kind" and not is_variable(term):
            self.check_constant(np)
        if not is_variable(term):
            self.scope.note(term, np)
            self.aside(np, term)
        return Who(Self(term))

    def agent(self, np: NP, place: Place) -> Self:
        """signed by an adult: the constant of its kind, as objects are."""
        kind = np._replace(kind="kind")
        if np.det in ("a", "an", "bare", "any") and place.condition and not place.negated:
            raise Refusal(f'"by {surface(kind)}" in a condition: say "{surface(kind)} …s it"')
        if np.det in UNIVERSAL | NEGATIVE:
            raise Refusal(f'"by {np.det} {np.key}" speaks of all at once')
        return Self(self.scope.definite(kind) or self.scope.note(Name(np.key), kind))

    def owner(self, np: NP, me: Self | None, place: Place) -> Who:
        if np.kind == "self":
            assert me is not None
            return Who(me)
        return self.subject(np, me, place)

    def open(self, np: NP, place: Place) -> Who:
        """A new variable: an employee, anyone who …, no member, all guests."""
        self.check_open(np, place)
        if not place.condition and np.det in ("a", "an", "bare"):
            self.generic = np
        me = Self(self.scope.introduce(np))
        return Who(me, self.class_of(np, me), np.det in NEGATIVE)

    def class_of(self, np: NP, me: Self) -> tuple[Formula, ...]:
        """What a noun phrase says of its bearer; nothing if it is "someone"."""
        if not np.parts and not np.tests:
            return ()
        return (self.resolve(is_a(np), me, Place(True)),)

    def check_open(self, np: NP, place: Place) -> None:
        if place.condition and np.det in UNIVERSAL | NEGATIVE:
            raise Refusal(f'"{np.det}" in a condition speaks of all at once')
        if place.condition and place.negated:
            raise Refusal(f'"{np.key}" under a negation: nobody in particular')
        if not place.condition and np.det in _EXISTENTIAL and not np.tests:
            raise Refusal(f'"{np.det}" says that there is one, but not which')
        if not place.condition and np.det in ("a", "an") and self.rule.before:
            raise Refusal(f'"{surface(np)}" in its conclusion: which?')

    def object(
        self, atom: Atom, me: Self | None, subject: Self, place: Place
    ) -> tuple[str, tuple[Formula, ...]]:
        np = atom.object
        if np is None:
            return "", ()
        if np.kind == "self":
            assert me is not None
            return (_possession(me) if me.of else me.term), ()
        if np.kind == "attribute":
            return Name(np.key, with_article(np.key) if np.det == "a" else np.key), ()
        if np.kind in ("other", "anyone") or is_universal(np):
            return self.open_object(np, place)
        if np.tests and isinstance(np.tests[0], Unclear):
            raise Refusal(np.tests[0].reason)
        if np.kind == "kind" and np.det in ("a", "an") and np.key in self.recalled:
            return self.certain_object(np, place)
        term = self.term(np, None if subject.of else subject.term)
        if not is_variable(term):
            self.scope.note(term, np, atom.relation)
            self.aside(np, term)
        return term, ()

    def open_object(self, np: NP, place: Place) -> tuple[str, tuple[Formula, ...]]:
        """every application that …: a condition; someone else: only in a condition."""
        universal = is_universal(np)
        if universal == place.condition or place.negated:
            raise Refusal(f'"{np.key}" as an object speaks of nobody in particular')
        me = Self(self.scope.introduce(np))
        return me.term, self.class_of(np, me)

    def certain_object(self, np: NP, place: Place) -> tuple[str, tuple[Formula, ...]]:
        """If the nurse has examined a donor, the donor …: the same donor."""
        if not is_person(np.key):
            raise Refusal(f'"{surface(np)}" and "the {np.key}": which? Name it, or say "it" of it')
        if place.negated:
            raise Refusal(f'"{np.key}" under a negation: nobody in particular')
        me = Self(self.scope.introduce(np))
        return me.term, self.class_of(np, me)

    def term(self, np: NP, but: str | None) -> str:
        """A constant or a known variable; a pronoun is not `but`, the subject of its own verb."""
        match np.kind:
            case "letter":
                return self.scope.letter(np.key)
            case "pronoun":
                return self.scope.pronoun(np.key, but)
            case "owned":
                return self.possessed(np)
            case "kind":
                return self.scope.definite(np) or constant(np)
        return constant(np)

    def possessed(self, np: NP) -> Name:
        """Ann's badge, a visitor's permit: one constant."""
        assert np.owner is not None
        owner = np.owner
        if owner.kind != "name" and self.scope.definite(owner):
            raise Refusal(f'"{owner.key}\'s {np.key}" as an object depends on who it is')
        article = "a " if owner.det in ("a", "an") else "the " if owner.det == "the" else ""
        return Name(f"{owner.key}'s {np.key}", f"{article}{owner.key}'s {np.key}")

    def check_constant(self, np: NP) -> None:
        """A subject with "the" that refers to nothing before it must be one certain thing."""
        if np.plural and np.det == "the" and as_many(np) != np.key:  # but: the police
            raise Refusal(f'"the {as_many(np)}": say "all {as_many(np)}" or name them')
        if np.tests and isinstance(np.tests[0], Unclear):
            raise Refusal(np.tests[0].reason)
        if np.tests:
            raise Refusal(f'"the {np.key}" with a condition: say it in a sentence of its own')
        if np.det in _POINTING:
            raise Refusal(f'it is not clear what "{np.det} {np.key}" means')

    def aside(self, np: NP, term: str) -> None:
        for test in np.tests:
            self.asides.append(self.resolve(test, Self(term), Place(False)))


def _possession(me: Self) -> Name:
    if is_variable(me.term):
        raise Refusal("something of somebody as an object depends on whose it is")
    return Name(f"{me.term}{me.of}".strip())
