"""Questions in their rulebook: the one predication that each asks about."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.given import rule_of
from ibr.logic.english.grammar.chart import OutOfBudget
from ibr.logic.english.grammar.sentences import Grammar
from ibr.logic.english.lexis import splitting as tokens
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.meaning.discourse import (
    NeedVariable,
    Refusal,
)
from ibr.logic.english.meaning.horn import _one_class
from ibr.logic.english.meaning.interpret import Meaning
from ibr.logic.english.meaning.literals import literal
from ibr.logic.english.meaning.terms import variables
from ibr.logic.english.sentence import Asked
from ibr.logic.english.wording.rewording import Rewording
from ibr.logic.surface import templates


class Questions(Rewording):
    """Questions, read with the words and individuals of the rulebook."""

    names: frozenset[str]
    lexicon: Lexicon

    def ask(self, text: str) -> Asked:
        """Raises Refusal."""
        if text.lower().lstrip().startswith(_OPEN_WORDS):
            raise Refusal("it asks for more than yes or no")
        raw = tokens.tokenize(
            tokens.split(text), self.names | tokens.names_in([tokens.split(text)])
        )
        grammar = Grammar(raw, self.lexicon)
        try:
            found = grammar.question() if text.rstrip().endswith("?") else grammar.statement()
        except (OutOfBudget, RecursionError):
            raise Refusal("it is too long or too tangled") from None
        template = None if text.rstrip().endswith("?") else templates.parse(text.strip())
        if template and (not found or all(s.template for s in self.sentences)):
            rule = rule_of(template.clauses[0], self.discourse)
            if not rule.body:
                return Asked(rule.head, rule.negative, [])
        if not found:
            raise Refusal("not a question form that is known here")
        found.sort(key=lambda f: f[2])
        asked: list[Asked] = []
        reason = ""
        for _, tree, cost in found:
            if asked and cost > found[0][2]:
                break
            try:
                one = self._asked(tree)
            except Refusal as refusal:
                reason = reason or str(refusal)
                continue
            if one not in asked:
                asked.append(one)
        if not asked:
            raise Refusal(reason)
        keys = {(literal(a.pred), a.negative) for a in asked}
        if len(keys) > 1:
            raise Refusal("the question can be read in two ways")
        return asked[0]

    def _asked(self, tree: Any) -> Asked:
        forced: frozenset[int] = frozenset()
        for _ in range(4):
            meaning = Meaning(self.discourse, forced, asking=True)
            try:
                formula = meaning.sentence(tree)
                break
            except NeedVariable as need:
                forced |= {need.at}
        else:
            raise Refusal("who is meant?")
        negative = False
        while formula[0] == "not":
            negative, formula = not negative, formula[1]
        if formula[0] in ("and", "&"):
            whole = _one_class(formula)
            role = [f for f in formula[1:] if f[0] == "atom" and f[1].form == "role"]
            if whole is None and role:
                whole = role[0][1]
            if whole is None:
                raise Refusal("a question asks about exactly one fact")
            formula = ("atom", whole)
        if formula[0] != "atom":
            raise Refusal("a question asks about exactly one fact")
        pred = formula[1]
        if list(variables(pred)):
            raise Refusal("a question asks about exactly one fact")
        return Asked(pred, negative, meaning.supposed)


_OPEN_WORDS = ("who ", "whom ", "whose ", "what ", "which ", "where ", "why ", "how ")
