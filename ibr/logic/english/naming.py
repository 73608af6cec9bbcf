"""Who is meant by a description: Joyce is the head librarian, Dina has a cat called Miso."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ibr.logic.english.meaning.literals import noun_phrase
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule

Aliases = dict[str, Any]  # by description


def named(rules: Sequence[Rule]) -> tuple[set[str], Aliases]:
    """All descriptions of somebody who has another, and who that is."""
    facts = [rule.head for rule in rules if not (rule.body or rule.negative)]
    roles = [f for f in facts if f.form == "role" and isinstance(f.subj, Ind | Owned)]
    aliases: Aliases = {}
    for role in roles:
        known = noun_phrase(role.subj)
        if role.lemma != known and known not in aliases:
            aliases.setdefault(role.lemma, role.subj)
    return {role.lemma for role in roles}, aliases | _possessions(facts, aliases)


def _possessions(facts: Sequence[Pred], aliases: Aliases) -> Aliases:
    """Dina's cat is Miso, if she has one cat, or nobody else has one that "the cat" could be."""
    had = [f for f in facts if (f.form, f.lemma) == ("verb", "have")]
    found: dict[str, set[Any]] = defaultdict(set)
    for owner, thing in ((fact.subj, fact.obj) for fact in had):
        if isinstance(thing, Kind) and not thing.plural:
            one = (
                aliases.get(f"the {thing.words}")
                if [f.obj for f in had].count(thing) == 1
                else None
            )
            found[noun_phrase(Owned(owner, thing))].add(one or thing)
        nouns = (f.lemma for f in facts if f.form == "noun" and f.subj == thing and not f.tails)
        for noun in nouns:
            found[noun_phrase(Owned(owner, Kind(noun)))].add(thing)
    for fact in (f for f in facts if f.form == "noun" and [prep for prep, _ in f.tails] == ["of"]):
        ((_, owner),) = fact.tails
        found[noun_phrase(Owned(owner, Kind(fact.lemma)))].add(fact.subj)
    only = ((key, *things) for key, things in found.items() if len(things) == 1)
    return {key: thing for key, thing in only if isinstance(thing, Ind) and thing.is_name}
