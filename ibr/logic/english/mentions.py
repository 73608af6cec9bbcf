"""Who was mentioned, for the sentences that follow, and which of them are one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.meaning.formulas import replaced
from ibr.logic.english.meaning.literals import describe, noun_phrase
from ibr.logic.english.meaning.normal import changes_kind, described
from ibr.logic.english.meaning.reference.discourse import Discourse, Ref, person_of
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule, Var, individuals
from ibr.logic.english.sentence import Sentence
from ibr.logic.english.wording.following import witness_of


def remember(discourse: Discourse, sentence: Sentence) -> None:
    """Who was mentioned, for the sentences that follow."""
    owned = (t for rule in sentence.rules for t in individuals(rule) if isinstance(t, Owned))
    discourse.owned |= dict.fromkeys(owned)
    before = [r for r in sentence.refs if isinstance(r.term, (Ind, Owned))]
    for pred in (r.head for r in sentence.rules if not r.body and not r.negative):
        noun, subj, obj = pred.lemma, pred.subj, pred.obj
        if pred.form == "noun" and isinstance(subj, Ind) and not pred.tense + pred.mode:
            members = discourse.members.setdefault(noun, [])
            if subj not in members:
                members.append(subj)
            before = [_classed(ref, pred) for ref in before]
        had = pred.form == "verb" and isinstance(obj, Kind) and not obj.plural
        there = pred.form == "prep" and isinstance(subj, Kind)
        if there and not subj.plural:  # a box is on the table: "it" is the box
            before = [r for r in before if r.term != obj or r.person]
            before += _introduced(discourse, subj)
        there = there and subj.plural
        for kind in (obj,) if had else (subj,) if there else ():
            witness = witness_of(pred, kind)
            if witness is not None:
                if had and isinstance(subj, Ind):
                    _alias(discourse, pred, kind, witness)
                discourse.witnesses.setdefault(kind, []).append(witness)
                before.append(Ref(witness, kind.noun, there, person_of(None, kind.noun)))
    ref = next((r for r in sentence.refs if r.subject and isinstance(r.term, Var)), None)
    rivals = {r.term for r in sentence.refs if ref and r.plural == ref.plural}
    one = Ind(f"each {ref.noun}") if ref and len(rivals) == 1 and not sentence.others else None
    if ref and one in discourse.groups:  # a lizard is an animal: "it" is each of them
        before = [ref._replace(term=one)]
    if {"too", "also"} & {*sentence.text.lower().strip(".!").split()}:
        before = [*discourse.before, *before]  # both were spoken of
    discourse.before = before or discourse.before


def _introduced(discourse: Discourse, kind: Kind) -> list[Ref]:
    """The box, after "there is a box on the table"; nothing if there may be another box."""
    term = Ind(describe(kind))
    if term.key in discourse.described or any(v.noun == kind.noun for v in discourse.witnesses):
        return []
    discourse.described[term.key] = kind
    return [Ref(term, kind.noun, False, person_of(None, kind.noun), subject=True)]


def _alias(discourse: Discourse, pred: Pred, kind: Kind, witness: Any) -> None:
    """Ulrich has a green kayak, and no other: it is Ulrich's kayak."""
    own = Owned(pred.subj, Kind(kind.noun))
    held = discourse.aliases.get(noun_phrase(own), witness)
    if pred.lemma in LISTS["making"]:
        discourse.aliases[noun_phrase(Owned(pred.subj, kind))] = witness
    elif isinstance(witness, Owned) and isinstance(held, Owned) and not pred.tense + pred.mode:
        other = held != witness or changes_kind(kind.mods, kind.noun)
        discourse.aliases[noun_phrase(own)] = own if other else witness


def name_possessions(discourse: Discourse, sentences: Sequence[Sentence]) -> None:
    """Tom has an old dog. Tom's dog is called Rex. So Rex is old, and Tom has Rex."""
    had: dict[str, list[tuple[Sentence, Pred]]] = {}
    for sentence in sentences:
        for pred in (r.head for r in sentence.rules if not r.body and not r.negative):
            now = pred.lemma in ("have", "own") and not pred.tense + pred.mode
            if now and isinstance(pred.subj, Ind) and isinstance(pred.obj, Kind):
                own = noun_phrase(Owned(pred.subj, Kind(pred.obj.noun)))
                had.setdefault(own, []).append((sentence, pred))
    for own, ((sentence, pred), *others) in had.items():
        one = discourse.aliases.get(own)
        if isinstance(one, Ind) and not others:
            sentence.rules += map(Rule, (*described(pred.obj, one), pred._replace(obj=one)))


def point_back(discourse: Discourse, sentences: Sequence[Sentence]) -> None:
    """Raj travels with a cello. The cello is fragile. That is the same one."""
    facts = [
        (i, k, kind)
        for i, s in enumerate(sentences) for k, r in enumerate(s.rules)
        if not r.body and not r.negative and r.head.lemma not in ("have", "own", "be")
        for kind in r.head.terms
        if isinstance(kind, Kind) and not kind.mass and not kind.plural
    ]  # fmt: skip
    kinds = [kind for _, _, kind in facts]
    for i, k, kind in facts:
        term = Ind(describe(kind))
        later = (r.head for s in sentences[i + 1 :] for r in s.rules)
        if kinds.count(kind) > 1 or term.key not in discourse.described:
            continue
        if any(term in individuals(head) for head in later):
            rule = sentences[i].rules[k]
            head = replaced(("atom", rule.head), kind, term)[1]
            sentences[i].rules[k] = rule._replace(head=head)


def _classed(ref: Ref, pred: Pred) -> Ref:
    """Tom, now known to be a member"""
    if ref.term != pred.subj or ref.noun:
        return ref
    return ref._replace(noun=pred.lemma, person=person_of(None, pred.lemma) or ref.person)
