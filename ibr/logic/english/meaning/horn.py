"""Formulas to rules: what is concluded, and under which conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from math import prod

from ibr.logic.english.meaning.discourse import Refusal
from ibr.logic.english.meaning.formulas import Formula
from ibr.logic.english.meaning.terms import Cnd, Pred, Rule, variables

MOST = 64  # alternatives of one condition


def rules_of(formula: Formula, unrestricted: Collection[str] = ()) -> list[Rule]:
    """Raises Refusal where a sentence says what no rule can."""
    rules = [r for r in dict.fromkeys(_asserted(formula, ())) if not _idle(r)]
    for rule in rules:
        _check(rule, unrestricted)
    return rules


def opens_of(formula: Formula) -> Iterator[Pred]:
    """What a sentence like "not all …" leaves open for each one."""
    if formula[0] == "not" and formula[1][0] == "if" and not formula[1][3:]:
        yield from (f[1] for f in _atoms(formula[1][2]))
    elif formula[0] in ("and", "&"):
        for part in formula[1:]:
            yield from opens_of(part)


def _atoms(formula: Formula) -> Iterator[Formula]:
    if formula[0] == "atom":
        yield formula
    elif formula[0] in ("and", "&", "or", "not"):
        for part in formula[1:]:
            yield from _atoms(part)


def _idle(rule: Rule) -> bool:
    """It asks for what it denies."""
    held = {c.pred for c in rule.body if not c.negative}
    return any(c.negative and c.pred in held for c in rule.body)


def _asserted(formula: Formula, body: tuple[Cnd, ...], denied: bool = False) -> Iterator[Rule]:
    op = formula[0]
    if op == "atom":
        yield Rule(formula[1], denied, tuple(dict.fromkeys(body)))
    elif op == "not":
        yield from _asserted(formula[1], body, not denied)
    elif op == "nothing":
        return
    elif op in (("or",) if denied else ("and", "&")):
        for part in formula[1:]:
            yield from _asserted(part, body, denied)
    elif op == "&":
        raise Refusal('"not … and …": neither, or not both?')
    elif op == "and":
        whole = _one_class(formula)
        if whole is None:
            raise Refusal('"not … and …": neither, or not both?')
        yield Rule(whole, denied, body)
    elif op == "or":
        raise Refusal('"or" leaves open which holds')
    elif op == "if":
        if denied and not formula[3:]:
            if not body:
                return  # not every: nothing follows for any one of them
            raise Refusal("it denies a rule")
        for conditions in alternatives(formula[1]):
            yield from _asserted(formula[2], (*body, *conditions), denied)
    elif op == "only":
        yield from _only(formula[1], formula[2], body)
    else:
        raise Refusal("an exception where none can be")


def _one_class(formula: Formula) -> Pred | None:
    """not a guide dog that is old: the adjectives go into the class"""
    preds = [part[1] for part in formula[1:] if part[0] == "atom"]
    nouns = [p for p in preds if p.form == "noun"]
    if len(preds) != len(formula) - 1 or len(nouns) != 1 or preds[0] != nouns[0]:
        return None
    rest = preds[1:]
    if any(p.form not in ("adj", "verb") or p.tails or p.advs for p in rest):
        return None
    mods = tuple(_word(p) for p in rest)
    noun: Pred = nouns[0]
    return noun._replace(mods=mods)


def _word(pred: Pred) -> str:
    from ibr.logic.english.lexis.forms import verb_participle

    return pred.lemma if pred.form == "adj" else verb_participle(pred.lemma)


def _only(said: Formula, test: Formula, body: tuple[Cnd, ...]) -> Iterator[Rule]:
    """M only if C: not M without C; and whoever is M is C."""
    body, said = _unfolded(said, body)
    for conditions in alternatives(("not", test), exception=True):
        plain = tuple(c._replace(exception=False) for c in conditions)
        yield from _asserted(said, (*body, *plain), denied=True)
    if test[0] in ("atom", "and", "&"):
        for conditions in alternatives(said) if _simple(said) else ():
            for part in test[1:] if test[0] in ("and", "&") else (test,):
                if part[0] == "atom":
                    yield Rule(part[1], False, (*body, *conditions))


def _simple(formula: Formula) -> bool:
    return bool(formula[0] == "atom")


def _unfolded(said: Formula, body: tuple[Cnd, ...]) -> tuple[tuple[Cnd, ...], Formula]:
    while said[0] == "if":
        found = alternatives(said[1])
        if len(found) != 1:
            raise Refusal('"only" with alternatives')
        body, said = (*body, *found[0]), said[2]
    return body, said


def alternatives(
    formula: Formula, denied: bool = False, exception: bool = False
) -> list[tuple[Cnd, ...]]:
    """A condition as lists of conditions, any one of which will do."""
    op = formula[0]
    if op == "atom":
        return [(Cnd(formula[1], denied, exception and denied),)]
    if op == "not":
        return alternatives(formula[1], not denied, exception)
    if op == "except":
        return alternatives(formula[1], not denied, True)
    if op == "&" and denied and not exception:
        raise Refusal('"not … and …": neither, or not both?')
    if op in ("and", "or", "&"):
        parts = [alternatives(part, denied, exception) for part in formula[1:]]
        if prod(map(len, parts)) > MOST and (op != "or") != denied:
            raise Refusal("too many alternatives")
        if (op != "or") != denied:
            found = [tuple(c for part in choice for c in part) for choice in product(*parts)]
        else:
            found = [choice for part in parts for choice in part]
        if len(found) > MOST:
            raise Refusal("too many alternatives")
        return found
    if op == "if":
        raise Refusal("a rule inside a condition")
    raise Refusal("a condition that cannot be checked")


def _check(rule: Rule, unrestricted: Collection[str]) -> None:
    safe = {v for c in rule.body if not c.negative for v in variables(c.pred)} | {*unrestricted}
    spoken_of = safe | {v for c in rule.body for v in variables(c.pred)}
    if any(name not in spoken_of for name in variables(rule.head)):
        raise Refusal("it points to those of another clause")
    safe |= set(variables(rule.head))
    for condition in rule.body:
        if condition.negative and any(v not in safe for v in variables(condition.pred)):
            raise Refusal("it denies a condition about someone who is not known")
