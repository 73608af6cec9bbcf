"""Whom a sentence speaks of: variables, pronouns, and descriptions that point back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ibr.logic.english.grammar.tree import (
    NP,
    Rel,
)
from ibr.logic.english.meaning.discourse import (
    HE,
    Discourse,
    NeedVariable,
    Ref,
    Refusal,
    describe,
    head,
)
from ibr.logic.english.meaning.formulas import (
    ANYONE,
    ORDINALS,
    Formula,
    adjectives,
    compound,
)
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Var


class References:
    """Whom a sentence speaks of, and whom its pronouns and descriptions point to."""

    if TYPE_CHECKING:  # what the other parts of the interpretation do

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, discourse: Discourse, forced: frozenset[int], asking: bool = False) -> None:
        self.discourse, self.forced, self.asking = discourse, forced, asking
        self.scope: list[Ref] = []
        self.count = 0
        self.opaque = False  # something was said, or thought
        self.unrestricted: set[str] = set()  # variables of everyone, nobody
        self.linked = 0  # in a clause that goes on with "and" or "but"
        self.ruled = 0  # under a condition that came before
        self.shared: Var | None = None  # of several kinds, of each of which the same is said
        self._ordinals: dict[Any, str] = {}  # variable -> first, second
        self.last_vp: Any = None
        self.supposed: list[Pred] = []
        self.conditional = 0  # inside a condition
        self.variable = 0  # some variable is universal here
        self.denied = 0
        self.current: list[Any] = []  # the subjects of the clause that is being read
        self.depth = 0  # inside the description of somebody
        self.free = 0  # of a permission: any one will do

    def _variable(self) -> Var:
        self.count += 1
        return Var(f"?{'xyzuvwrst'[self.count - 1] if self.count < 10 else f'x{self.count}'}")

    def _mention(self, ref: Ref) -> None:
        self.scope.append(ref._replace(depth=self.depth))

    def _as_condition(self, make: Callable[[], Formula]) -> Formula:
        self.conditional += 1
        found = make()
        self.conditional -= 1
        return found

    def pronoun(self, np: NP, subject: bool = False) -> Any:
        """Who is meant: the only one of this sentence that fits, else of the one before."""
        word = np.word
        if self.opaque:
            raise Refusal(f'"{word}" may be somebody of whom somebody else speaks')
        plural = np.plural or word == "their"
        refs = list(self.scope)
        owns = np.noun == "owner"
        if not subject and not owns and not word.endswith(("self", "selves")):
            refs = [r for r in refs if r.term not in self.current]
        found = self._fitting(refs, word, plural)
        if owns:
            mine = [r for r in refs if r.term in self.current and self._may_be(r, word)]
            found = mine or found
        least = min((r.depth for r in found), default=0)
        found = [r for r in found if r.depth == least]
        held = {r.term for r in found}
        found = [r for r in found if not (isinstance(r.term, Owned) and r.term.owner in held)]
        if subject and len({r.term for r in found}) > 1 and any(r.subject for r in found):
            found = self._parallel(found)
        rules = {r.term for r in found if isinstance(r.term, Var)}
        if not subject and len(rules) == 1 and len({r.term for r in found}) > 1:
            found = [r for r in found if r.term in rules]
        if not found:
            found = self._fitting(self.discourse.before, word, plural)
            if self.conditional and not found:
                raise Refusal(f'"{word}": who is meant?')
        terms = list(dict.fromkeys(r.term for r in found))
        if not terms:
            raise Refusal(f'"{word}": who is meant?')
        if len(terms) > 1:
            raise Refusal(f'"{word}": which of the two is meant?')
        ref = found[-1]
        if isinstance(ref.term, Kind) and ref.term.mass:
            return ref.term
        if ref.at >= 0 and ref in self.scope:
            raise NeedVariable(ref.at)
        if isinstance(ref.term, Kind):
            raise Refusal(f'"{word}": which one is meant?')
        return ref.term

    def _may_be(self, ref: Ref, word: str) -> bool:
        return (
            ref.person is not True if word == "its" else word == "their" or ref.person is not False
        )

    def _parallel(self, found: list[Ref]) -> list[Ref]:
        """A subject goes on with the subject, unless another person may be meant."""
        subjects = [r for r in found if r.subject]
        rivals = [r for r in found if not r.subject and (r.person is True or _is_name(r.term))]
        variables = [r for r in found if not r.subject and isinstance(r.term, Var)]
        several = len({r.term for r in subjects}) > 1
        if several or (rivals and not self.linked) or (self.conditional and variables):
            return found
        return subjects[-1:]

    def _fitting(self, refs: list[Ref], word: str, plural: bool) -> list[Ref]:
        if word in ("it", "its", "itself"):
            refs = [r for r in refs if not r.plural]
            found = [
                r
                for r in refs
                if r.person is False or (isinstance(r.term, Var) and r.person is None)
            ]
            unnamed = [
                r
                for r in refs
                if r.person is None and not (isinstance(r.term, Ind) and r.term.key[:1].isupper())
            ]
            return found or unnamed or [r for r in refs if r.person is None]
        if word in HE:
            found = [r for r in refs if not r.plural and r.person is True]
            found = found or [r for r in refs if not r.plural and r.person is None]
            found = found or [r for r in refs if r.person is True and isinstance(r.term, Var)]
            return found or [r for r in refs if r.subject and isinstance(r.term, Var)]
        subjects = [r for r in refs if r.subject and (r.plural or isinstance(r.term, Var))]
        if subjects:
            return subjects[-1:] if len({r.term for r in subjects}) == 1 else subjects
        many = [r for r in refs if r.plural and r.at < 0] or [r for r in refs if r.plural]
        return many or [r for r in refs if r.person is not False]

    def _again(self, np: NP) -> Any:
        """The customer, that employee, the second thing: somebody of this sentence."""
        if np.owner is not None:
            return None
        wanted = adjectives(np)
        nouns = compound(np)
        if nouns == "one" and np.det == "this":
            raise Refusal("this one: which?")
        fitting = [
            ref for ref in self.scope
            if ref.noun and (ref.noun == nouns or head(ref.noun) == nouns)
            and (isinstance(ref.term, Var) or ref.at >= 0)
            and bool(ref.plural) == bool(np.plural or (ref.subject and ref.plural and not np.mods))
        ]  # fmt: skip
        if nouns in ANYONE and not fitting and np.det == "this":
            fitting = [
                ref for ref in self.scope if isinstance(ref.term, Var) and ref.person is not False
            ]
        ordinals = [m for m in wanted if m in ORDINALS]
        if ordinals and fitting:
            fitting = [r for r in fitting if self._ordinals.get(r.term) == ordinals[0]] or (
                fitting[:1] if ordinals[0] == "first" else fitting[1:2]
            )
        elif wanted:
            return None
        if np.posts and not all(isinstance(p, Rel) and not p.restrictive for p in np.posts):
            return None
        terms = list(dict.fromkeys(fitting))
        if not terms:
            return None
        if len({r.term for r in terms}) > 1:
            raise Refusal(f'"the {nouns}": which of the two?')
        ref = terms[-1]
        if ref.at >= 0:
            raise NeedVariable(ref.at)
        return ref.term

    def _known_one(self, kind: Kind) -> Any:
        """The parrot, after "Nina has a parrot"; the dog, after "Rex is a dog"."""
        if kind.tails or describe(kind) in self.discourse.described:
            return None
        seen = self.discourse.witnesses.get(kind.noun, [])
        fitting = [w for w in seen if set(kind.mods) <= set(w.kind.mods)]
        people = self.discourse.members.get(kind.noun, [])
        if kind.mods:
            people = []
        found = [*fitting, *people]
        return found[0] if len(found) == 1 else None


def _is_name(term: Any) -> bool:
    return isinstance(term, Ind) and term.key[:1].isupper()
