"""What a whole rulebook says, each sentence in the words of the others too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ibr.logic.budget import spend
from ibr.logic.clause import Literal
from ibr.logic.english.lexis.forms import is_listed
from ibr.logic.english.lexis.knowledge import switch
from ibr.logic.english.lexis.people import is_person
from ibr.logic.english.meaning.discourse import Discourse
from ibr.logic.english.meaning.literals import Refusal, clause_of, literal, noun_phrase
from ibr.logic.english.meaning.normal import described, normal
from ibr.logic.english.meaning.terms import (
    Cnd,
    Ind,
    Kind,
    Owned,
    Pred,
    Rule,
    Var,
    apart,
    bound,
    individuals,
    variables,
)  # fmt: skip
from ibr.logic.english.sentence import Asked, Sentence
from ibr.logic.english.wording.following import LOSING, equals, following, opposite, witness_of
from ibr.logic.english.wording.meeting import Met, entails
from ibr.logic.english.wording.nearness import denies

Said = list[list[Rule]]
_TURNS = 3  # a witness may be wanted by what is stated of another


class Rewording:
    """What each sentence says in the words of the others and of the question."""

    sentences: list[Sentence]
    discourse: Discourse

    def closed(self, asked: Asked | None) -> Said:
        switch(sentence.text for sentence in self.sentences)
        said: Said = [[*sentence.rules, *sentence.exempt] for sentence in self.sentences]
        modes = {pred.mode for rules in said for rule in rules for pred in rule.preds}
        can_may = not {"can", "may"} <= modes
        for rules in said:
            named = {c.pred.lemma for r in rules for c in r.body if c.pred.form == "role"}
            rules += [Rule(Pred("role", n, Ind(n))) for n in named if n[:1].isupper()]
        broader = _broader(said)
        for _ in range(_TURNS):
            wanted = list(dict.fromkeys(_wanted(said, asked)))
            before = sum(map(len, said))
            people = list(dict.fromkeys(t for rules in said for r in rules for t in individuals(r)))
            done: set[Any] = set()
            for rules in said:
                made = [new for rule in rules for new in weaker(rule, wanted, can_may, people)]
                made += [
                    new for rule in rules if not rule.binding
                    for new in _of_broader_kinds(rule, wanted, can_may, people, broader)
                ]  # fmt: skip
                made += self._descriptions(rules, done, wanted, can_may)
                rules += [new for new in dict.fromkeys(made) if new not in rules]
            if sum(map(len, said)) == before:
                break
        if asked:
            supposed = [*map(normal, asked.supposed), *self._given_by_question(said, asked)]
            for rules in said:
                rules += [new for rule in rules for new in _under(rule, supposed, can_may)]
        return said

    def _descriptions(
        self, rules: list[Rule], done: set[Any], wanted: list[Pred], can_may: bool
    ) -> Iterator[Rule]:
        """The dog is a dog: a fact of the first sentence that speaks of it, where it is wanted."""
        for term in dict.fromkeys(t for rule in rules for t in individuals(rule)):
            if term not in done:
                done.add(term)
                for pred in self._description(term):
                    yield from _in_words(Rule(pred), wanted, can_may, fresh=True)

    def _description(self, term: Any) -> Iterator[Pred]:
        if isinstance(term, Owned):
            yield from described(term.kind, term)
            yield Pred(
                "noun", term.kind.noun, term, None, (("of", term.owner),), mods=term.kind.mods
            )
            if not self._gone(term):
                yield Pred("verb", "have", term.owner, term.kind)
                yield Pred("verb", "have", term.owner, term)
            yield Pred("role", noun_phrase(term), term)
        elif term.key in self.discourse.described:
            yield from described(self.discourse.described[term.key], term)
            yield Pred("role", f"the {term.key}", term)
        elif term.is_name:
            yield Pred("role", term.key, term)
            title, _, name = term.key.partition(" ")
            numbered = any(map(str.isdigit, name))
            if name and (numbered or is_person(title.lower())) and is_listed(title.lower()):
                yield Pred("noun", title.lower(), term)  # Judge Hill, Room 12

    def _gone(self, term: Owned) -> bool:
        """Felix has lost his badge; his fine has been waived."""
        heads = [r.head for s in self.sentences for r in s.rules]
        return any(h.lemma in LOSING and term in h.terms for h in heads)

    def _given_by_question(self, said: Said, asked: Asked) -> list[Pred]:
        """Descriptions of those of whom only the question speaks."""
        known = {t for rules in said for r in rules for t in individuals(r)}
        new = [t for t in individuals(asked.pred) if t not in known]
        return [pred for term in new for pred in self._description(term)]


def _wanted(said: Said, asked: Asked | None) -> Iterator[Pred]:
    if asked:
        yield asked.pred
    denies = any(rule.negative for rules in said for rule in rules)
    for rules in said:
        for rule in rules:
            yield from (apart(condition.pred, "w") for condition in rule.body)
            if denies and rule.body and not (rule.negative or rule.binding):
                yield apart(rule.head, "w")  # what is denied may be what it concludes


def weaker(
    rule: Rule, wanted: list[Pred], can_may: bool, people: Sequence[Any] = ()
) -> Iterator[Rule]:
    """The same rule with conclusions that others ask for and that follow from its own."""
    if rule.binding:
        return
    yield from _in_words(rule, wanted, can_may, people=people)
    thing = rule.head.obj
    if not rule.body and not rule.negative and isinstance(thing, Kind):
        witness = witness_of(rule.head, thing)  # bought a lamp, of which more is stated
        if witness in people:
            known = rule._replace(head=rule.head._replace(obj=witness))
            yield from _in_words(known, wanted, can_may, fresh=True)
    for pred in equals(rule.head):
        yield from _in_words(rule._replace(head=pred), wanted, can_may, fresh=True)
    for want in wanted:
        met = denies(rule.head, want, rule.negative)
        if met is not None:
            yield from _made(rule, want, met, True, None)
    if rule.negative:
        yield from _nothing(rule, wanted)
        for pred, denied in opposite(rule.head):
            yield from _in_words(Rule(pred, denied, rule.body), wanted, can_may, fresh=True)
        if not rule.body and isinstance(rule.head.subj, Var) and rule.head.obj is not None:
            nobody = rule._replace(head=rule.head._replace(subj=None))
            yield from _in_words(nobody, wanted, can_may, fresh=True)
        return
    for pred, denied in following(rule.head):
        yield from _in_words(Rule(pred, denied, rule.body), wanted, can_may, fresh=True)


def _nothing(rule: Rule, wanted: list[Pred]) -> Iterator[Rule]:
    """No train is coming: it is denied that a train is."""
    who = rule.head.subj
    for want in wanted if isinstance(who, Var) else ():
        if isinstance(want.subj, Kind) and all(not c.negative for c in rule.body):
            given = {*described(want.subj, who)}
            one: Pred = bound(rule.head, {who.name: want.subj})
            if {c.pred for c in rule.body} <= given and entails(want, one) == Met({}):
                yield Rule(want, True)


def _in_words(
    rule: Rule, wanted: list[Pred], can_may: bool, fresh: bool = False, people: Sequence[Any] = ()
) -> Iterator[Rule]:
    """In the words of each that is wanted. `fresh`: its conclusion is not stated as it stands."""
    spend(1 + len(wanted) // 50)
    own = None if fresh else _literal(rule.head)
    for want in wanted:
        one, other = (want, rule.head) if rule.negative else (rule.head, want)
        met = entails(one, other, can_may)
        if met is None:
            continue
        if met.witness is None:
            cases = _owners(met, people)
            for case in cases:
                yield from _made(rule, want, met._replace(binding=case), rule.negative, own)
        elif not rule.negative and not fresh:
            yield from _witnessed(rule, want, met, people)


def _owners(met: Met, people: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """X's knife is sharp: the knife of each who may be X, where it is wanted by itself."""
    owned = (term for term in met.binding.values() if isinstance(term, Owned))
    free = [name for term in owned for name in variables(term) if name not in met.binding]
    if not free:
        yield met.binding
        return
    yield from ({**met.binding, free[0]: one} for one in people if isinstance(one, Ind))


def _witnessed(rule: Rule, want: Pred, met: Met, people: Sequence[Any]) -> Iterator[Rule]:
    """A conclusion about some one of a kind: of the witness of each of whom it may be stated."""
    assert met.witness is not None
    name, kind = met.witness
    free = list(dict.fromkeys(variables(rule.head)))
    cases: list[dict[str, Any]] = [{}]
    if free:
        cases = [{free[0]: one} for one in people if not _made_of(one, kind)]
    for case in cases if len(free) < 2 else ():
        witness = witness_of(bound(rule.head, case), bound(kind, case))
        if witness is None:
            continue
        binding = {**met.binding, **case, name: witness}
        for pred in described(kind, witness):
            yield Rule(pred, False, rule.body, tuple(case.items()))
        yield from _made(rule, want, met._replace(binding=binding), False, None)


def _broader(said: Said) -> dict[str, set[str]]:
    """Kinds by the kinds that rules of one condition make them: parrot, pet."""
    found: dict[str, set[str]] = {}
    for rule in (rule for rules in said for rule in rules if len(rule.body) == 1):
        (one,), head = rule.body, rule.head
        nouns = one.pred.form == head.form == "noun" and not one.pred.mods and not one.pred.tails
        if nouns and one.pred.subj == head.subj and not (one.negative or rule.negative):
            found.setdefault(one.pred.lemma, set()).add(head.lemma)
    for _ in found:
        for kinds in found.values():
            kinds |= {more for kind in kinds for more in found.get(kind, ())}
    return found


def _of_broader_kinds(
    rule: Rule, wanted: list[Pred], can_may: bool, people: Sequence[Any], broader: dict[str, Any]
) -> Iterator[Rule]:
    """Keeps a parrot, and a parrot is a pet: keeps a pet, if that one is a pet."""
    kind, one = rule.head.obj, Var("?one")
    if rule.negative or not isinstance(kind, Kind) or kind.noun not in broader:
        return
    for want in wanted:
        if isinstance(want.obj, Kind) and want.obj.noun in broader[kind.noun]:
            met = entails(rule.head, want._replace(obj=one), can_may)
            if met is not None and met.witness is not None:
                extra = (Cnd(pred) for pred in described(want.obj, one))
                more = met._replace(extra=(*met.extra, *extra))
                yield from _witnessed(rule, want, more, people)


def _made_of(term: Any, kind: Kind) -> bool:
    """A witness of the same kind, or of one of its kind: witnesses do not make themselves."""
    while isinstance(term, Owned):
        if term.kind.noun == kind.noun:
            return True
        term = term.owner
    return False


def _made(rule: Rule, want: Pred, met: Met, negative: bool, own: Literal | None) -> Iterator[Rule]:
    made = Rule(want, negative, (*rule.body, *met.extra), tuple(met.binding.items()))
    try:
        clause = clause_of(made)
        said = own and clause_of(Rule(rule.head, False, (), made.binding)).head
    except Refusal:
        return
    same = said is not None and said == clause.head.atom and not met.extra
    if not same and clause.head.atom not in [c.atom for c in clause.body]:
        yield made


def _under(rule: Rule, supposed: list[Pred], can_may: bool) -> Iterator[Rule]:
    """The rule for one of whom some of its conditions are given."""
    start = dict(rule.binding)
    for condition in rule.body if supposed else ():
        for given in supposed:
            met = entails(given, bound(condition.pred, start), can_may)
            if met is None or met.witness or met.extra:
                continue
            binding = {**start, **met.binding}
            if condition.negative:  # that it holds is known by the description
                yield Rule(condition.pred, False, (), tuple(binding.items()))
                continue
            body = tuple(
                other for other in rule.body if other.negative
                or not any(_given(g, bound(other.pred, binding), can_may) for g in supposed)
            )  # fmt: skip
            yield Rule(rule.head, rule.negative, body, tuple(binding.items()))


def _given(given: Pred, pred: Pred, can_may: bool) -> bool:
    return entails(given, pred, can_may) == Met({})


def _literal(pred: Pred) -> Literal | None:
    try:
        return literal(pred)
    except Refusal:
        return None
