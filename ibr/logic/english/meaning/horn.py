"""Formulas to rules: what is concluded, and under which conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import product
from math import prod

from ibr.logic.english.lexis.forms import verb_participle
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.formulas import Formula, preds_of
from ibr.logic.english.meaning.literals import Refusal, Unsayable
from ibr.logic.english.meaning.normal import normal
from ibr.logic.english.meaning.terms import Cnd, Pred, Rule, variables

MOST = 64  # alternatives of one condition
_CASES = ("or", "any", "xor")
_NEITHER = Refusal('"not … and …": neither, or not both?')
Body = tuple[Cnd, ...]


def rules_of(formula: Formula, unrestricted: Collection[str] = ()) -> list[Rule]:
    """Raises Refusal where a sentence says what no rule can."""
    rules = [r for r in dict.fromkeys(_asserted(formula, ())) if not _idle(r)]
    for rule in rules:
        _check(rule, unrestricted)
    return rules


def opens_of(formula: Formula) -> Iterator[Pred]:
    """What a sentence like "not all …" leaves open for each one."""
    if formula[0] == "not" and formula[1][0] == "if" and not formula[1][3:]:
        yield from map(normal, preds_of(formula[1][2]))
    elif formula[0] in ("and", "&", "open"):
        for part in formula[1:]:
            yield from opens_of(part)
            yield from preds_of(part) if formula[0] == "open" else ()


def refuted_by(formula: Formula) -> list[Rule]:
    """The rules that a sentence like "not all …" denies."""
    if formula[0] == "not" and formula[1][0] == "if" and not formula[1][3:]:
        with suppress(Refusal):
            return rules_of(formula[1])
    return [r for f in formula[1:] for r in refuted_by(f)] if formula[0] in ("and", "&") else []


def exempts_of(formula: Formula) -> Iterator[Rule]:
    """Rules that never apply and whose exceptions do: an ostrich would fly, were it no ostrich."""
    if formula[0] == "exempt":
        for body in _alternatives(formula[1]):
            broken = tuple(Cnd(c.pred, True, True) for c in body if not c.negative)
            for rule in _asserted(formula[2], body):
                yield rule._replace(body=(*rule.body, *broken))
    elif formula[0] in ("and", "&"):
        for part in formula[1:]:
            yield from exempts_of(part)


def one_class(formula: Formula, placed: bool = False) -> Pred | None:
    """not a guide dog that is old: the adjectives go into the class; `placed`: places, too"""
    if len(formula) < 2 or any(part[0] != "atom" for part in formula[1:]):
        return None
    noun, *rest = (part[1] for part in formula[1:])
    places = [p for p in rest if placed and p.form == "prep" and p.obj and not p.tails]
    rest = [p for p in rest if p not in places]
    plain = all((p.form == "adj" or p.passive) and not p.tails and not p.advs for p in rest)
    if noun.form != "noun" or not plain:
        return None
    mods = (p.lemma if p.form == "adj" else verb_participle(p.lemma) for p in rest)
    tails = (*noun.tails, *((p.lemma, p.obj) for p in places))
    made: Pred = noun._replace(mods=tuple(mods), tails=tails)
    return made


def _idle(rule: Rule) -> bool:
    """It asks for what it denies, or concludes what it asks for."""
    held = {c.pred for c in rule.body if not c.negative}
    same = rule.head in held and not rule.negative
    return same or any(c.negative and c.pred in held for c in rule.body)


def _asserted(formula: Formula, body: Body, denied: bool = False) -> Iterator[Rule]:
    op = formula[0]
    if op == "atom":
        head: Pred = formula[1]
        if body and head.mode == "will":  # what a rule concludes holds whenever its conditions do
            head = head._replace(mode="")
        yield Rule(normal(head), denied, tuple(dict.fromkeys(body)))
    elif op == "not":
        yield from _asserted(formula[1], body, not denied)
    elif op in (("or",) if denied else ("and", "&")):
        for part in formula[1:]:
            yield from _asserted(part, body, denied)
    elif op == "and":
        whole = one_class(formula)
        if whole is None:
            raise _NEITHER
        noun, state = formula[1][1], formula[2][1]
        if not formula[3:] and state.lemma not in LISTS["sizes"] and whole.mods:
            yield Rule(normal(state), True, (*body, Cnd(normal(noun))))  # no cold soup
        yield Rule(normal(whole), denied, body)
    elif op == "&":
        raise _NEITHER
    elif op in ("or", "any", "xor", "nand") and not denied:
        yield from _eliminated(formula[1:], body, op)
    elif op == "if":
        if denied and not formula[3:]:
            if not body:
                return  # not every: nothing follows for any one of them
            raise Refusal("it denies a rule")
        for conditions in _alternatives(formula[1]):
            yield from _asserted(formula[2], (*body, *conditions), denied)
        for done in _alternatives(formula[2]) if denied and formula[4:] else ():
            yield from _asserted(formula[4], (*body, *done))
    elif op == "only":
        yield from _only(formula[1], formula[2], body, bool(formula[3:]))
    elif op not in ("nothing", "exempt", "open"):
        raise Refusal("an exception where none can be")


def _eliminated(parts: tuple[Formula, ...], body: Body, op: str) -> Iterator[Rule]:
    """Bob or Jim has the map: Jim, if it is denied that Bob has it; and the other way round.

    "xor", but not both; "nand", not both: not Bob, if Jim has it.
    """
    if any(part[0] != "atom" for part in parts):
        raise (Unsayable if any(part[0] in ("and", "&") for part in parts) else Refusal)(
            '"or" leaves open which holds'
        )
    preds = [normal(part[1]) for part in parts]
    for pred in preds:
        others = [other for other in preds if other != pred]
        if op != "nand":
            yield Rule(pred, False, (*body, *(Cnd(other, True, denied=True) for other in others)))
        for other in others if op in ("xor", "nand") else ():
            yield Rule(pred, True, (*body, Cnd(other)))


def cases_of(formula: Formula, unrestricted: Collection[str] = ()) -> list[list[Rule]]:
    """What holds in each case that an "or" leaves open."""
    if formula[0] in _CASES:
        return [rules_of(part, unrestricted) for part in formula[1:]]
    if formula[0] == "if" and formula[2][0] in _CASES:
        return [rules_of(("if", formula[1], part), unrestricted) for part in formula[2][1:]]
    return []


def _only(said: Formula, test: Formula, body: Body, unless: bool) -> Iterator[Rule]:
    """M only if C, no M unless C: not M without C; and anyone who is M is C."""
    while said[0] == "if":
        found = _alternatives(said[1])
        if len(found) != 1:
            raise Refusal('"only" with alternatives')
        body, said = (*body, *found[0]), said[2]
    tests, does = [*preds_of(test)], said[0] == "atom" and said[1].form == "verb"
    if does and not said[1].tense + said[1].mode and {p.tense for p in tests} == {"perf"}:
        for tense in ("perf", "past"):  # who has not beaten the troll has not reached the tower
            yield from _only(("atom", said[1]._replace(tense=tense)), test, body, unless)
    for conditions in _alternatives(("except", test)):
        denied = ((c, unless and c.negative, not _is_name(c.pred)) for c in conditions)
        plain = (c._replace(exception=excepts, only=only) for c, excepts, only in denied)
        yield from _asserted(said, (*body, *plain), denied=True)
    whole = one_class(test) if test[0] == "and" else None
    if whole and whole.mods:  # is not a licensed driver
        none = Cnd(normal(whole), True, denied=True)
        yield from _asserted(said, (*body, none), denied=True)
    if test[0] in ("atom", "and", "&") and said[0] == "atom":
        for part in test[1:] if test[0] != "atom" else (test,):
            if part[0] == "atom":
                yield Rule(normal(part[1]), False, (*body, Cnd(normal(said[1]))))


def _is_name(pred: Pred) -> bool:
    """Is Tom: who is not stated to be he is another. But not: is the mayor"""
    return pred.form == "role" and pred.lemma[:1].isupper() and "'s " not in pred.lemma


def _alternatives(formula: Formula, denied: bool = False, exception: bool = False) -> list[Body]:
    """A condition as lists of conditions, any one of which will do."""
    op = formula[0]
    if op == "atom":
        return [(Cnd(normal(formula[1]), denied, exception and denied),)]
    if op in ("not", "except"):
        return _alternatives(formula[1], not denied, exception or op == "except")
    if op == "lacking":
        found = _alternatives(formula[1], not denied, exception)
        return [tuple(c._replace(only=c.negative) for c in body) for body in found]
    if op == "&" and denied and not exception:
        raise _NEITHER
    if op not in ("and", "or", "&"):
        raise Refusal("a rule inside a condition")
    parts = [_alternatives(part, denied, exception) for part in formula[1:]]
    joined = (op != "or") != denied
    if (prod if joined else sum)(map(len, parts)) > MOST:
        raise Refusal("too many alternatives")
    if joined:
        return [tuple(c for part in choice for c in part) for choice in product(*parts)]
    return [choice for part in parts for choice in part]


def _check(rule: Rule, unrestricted: Collection[str]) -> None:
    safe = {v for c in rule.body if not c.negative for v in variables(c.pred)} | {*unrestricted}
    spoken_of = safe | {v for c in rule.body for v in variables(c.pred)}
    said = set(variables(rule.head))
    if not said <= spoken_of:
        raise Refusal("it points to those of another clause")
    if any(c.negative and not {*variables(c.pred)} <= safe | said for c in rule.body):
        raise Refusal("it denies a condition about someone who is not known")
