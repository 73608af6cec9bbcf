"""Meaning → clauses: the main clause of a sentence under its conditions.

Raises Refusal for what is understood and yet cannot be said in clauses ("or" in a conclusion, a
pronoun without a referent), so that it is reported and not guessed.
"""

from __future__ import annotations

from ibr.logic.clause import Clause, Literal, is_variable
from ibr.logic.english.clauses.place import Place, Self
from ibr.logic.english.clauses.resolve import Resolver
from ibr.logic.english.clauses.scope import Refusal, is_open
from ibr.logic.english.clauses.spread import heads, spread
from ibr.logic.english.grammar.meaning import NP, About, All, Formula, Not, Rule, Under


def clauses_of(rule: Rule) -> tuple[Clause, ...]:
    return _Sentence(rule).clauses()


class _Sentence:
    def __init__(self, rule: Rule) -> None:
        self.rule, self.resolver = rule, Resolver(rule)
        self.body: list[Formula] = []
        self.spoken_of = ""  # the variable that "unless a visitor …" brings for the conclusion
        self.excepted: list[Formula] = []
        self.strict: list[Formula] = []  # of "only if": without them, not
        self.both: list[Formula] = []  # of "if and only if"

    def clauses(self) -> tuple[Clause, ...]:
        for under in self.rule.before:
            self.take(under)
        main = self.resolver.resolve(self.rule.main, None, Place(False))
        for under in self.rule.after:
            self.take(under)
        for formula in self.excepted:
            self.body.append(self.resolver.resolve(formula, self.main_self(), Place(True)))
        found = self.asides()
        for conditions, head in heads(main, ()):
            if self.spoken_of and self.spoken_of not in head.variables:
                raise Refusal('"unless" with nobody in particular')
            found += self.rules(head, [*conditions, *self.body])
        return tuple(dict.fromkeys(found))

    def take(self, under: Under) -> None:
        """A subordinate clause into its place; "unless" denies."""
        if under.how == "EXCEPT":
            self.excepted.append(under.formula)
            return
        if under.how == "UNLESS" and self.excludes(under.formula):
            return
        negated = under.how in ("UNLESS", "ONLY_IF")
        formula = self.resolver.resolve(under.formula, None, Place(True, negated))
        if under.how == "UNLESS":
            self.body.append(Not(formula))
        else:
            bins = {"IF": self.body, "ONLY_IF": self.strict, "IFF": self.both}
            bins[under.how].append(formula)

    def excludes(self, formula: Formula) -> bool:
        """Unless a visitor is accompanied, he must stay: a visitor, and not accompanied."""
        if not isinstance(formula, About) or not isinstance(formula.subject, NP):
            return False
        if not is_open(formula.subject) or self.resolver.scope.referents:
            return False
        who = self.resolver.subject(formula.subject, None, Place(True))
        said = self.resolver.resolve(formula.said, who.me, Place(True, negated=True))
        self.body += [*who.given, Not(said)]
        self.spoken_of = who.me.term
        return True

    def main_self(self) -> Self:
        variables = [r.term for r in self.resolver.scope.referents if is_variable(r.term)]
        if len(variables) != 1:
            raise Refusal("it is not clear from what the exception is taken")
        return Self(variables[0])

    def asides(self) -> list[Clause]:
        return [
            clause
            for aside in self.resolver.asides
            for conditions, head in heads(aside, ())
            for clause in spread(head, [*conditions])
        ]

    def rules(self, head: Literal, body: list[Formula]) -> list[Clause]:
        if self.rule.only:
            return self.only_rules(head, body)
        found: list[Clause] = []
        if not self.strict:
            found += spread(head, [*body, *self.both])
        if self.strict or self.both:
            if not head.positive:
                raise Refusal('"not … only if …" says two negations')
            needed = All((*self.strict, *self.both))
            found += spread(head.negation, [*body, Not(needed)])
        return found

    def only_rules(self, head: Literal, body: list[Formula]) -> list[Clause]:
        """Only members may enter: who is no member may not."""
        if not head.positive or not body:
            raise Refusal('"only" with a negation, or with nobody in particular')
        kind, *rest = body
        return spread(head.negation, [*rest, Not(kind)])
