"""Wordings that look alike: the difference is one that people blur and no list settles.

What is stated settles what is wanted if it implies or excludes it. With another mode, class, verb
or object it is something else. Otherwise it is near if both share a content word and an individual.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.lexis.forms import family, noun_of, verb_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.numbers import is_count, number_of
from ibr.logic.english.meaning.normal import described
from ibr.logic.english.meaning.terms import Cnd, Ind, Kind, Owned, Pred, Rule, Var, walk
from ibr.logic.english.wording.coverage import elsewhere
from ibr.logic.english.wording.following import wordings
from ibr.logic.english.wording.measures import blurred, comparable
from ibr.logic.english.wording.meeting import PLACES, Match, Met, entails, is_a, keys_of, noun_in

_TOLD = (LISTS["saying"] | {"wonder", "check", "ask"}) - {"fear"}  # who fears it may know it
_BLURRED = LISTS["privative"] | LISTS["cancelled"] | LISTS["counts"]


class Loose(Match):
    """Matches individuals; of kinds only that they may be the same."""

    def term(self, stated: Any, wanted: Any) -> bool:
        if isinstance(self.resolve(stated), Kind) or isinstance(self.resolve(wanted), Kind):
            return True
        return super().term(stated, wanted)

    @property
    def met(self) -> Met:
        binding = {k: v for k, v in self.binding.items() if not isinstance(v, Kind)}
        return Met(binding, tuple(self.extra))


def near(rule: Rule, wanted: Pred, denied: bool) -> Iterator[Met]:
    """`rule` does not settle `wanted`, but looks like it. `denied`: it is wanted to be absent."""
    stated = rule.head
    if "role" in (stated.form, wanted.form) or other_mode(stated, wanted, denied):
        return
    if comparable(stated, wanted):
        return
    if blurred(stated, wanted):
        match = Loose()
        yield from (match.met,) if match.term(stated.who, wanted.who) else ()
        return
    if not _overlap(stated, wanted, denied):
        return
    settled = _settled(rule, wanted, denied)
    if settled and not isinstance(stated.who, Owned):
        return
    if stated.form == wanted.form == "noun" and _other_class(stated, wanted, denied):
        return
    if stated.form == wanted.form == "prep" and elsewhere(stated.lemma, wanted.lemma):
        return
    if stated.form == wanted.form and family(stated.lemma, wanted.lemma):
        if _otherwise(stated, wanted, denied):
            return
        if stated.form == "verb" and wanted.subj is not None:
            yield from _same_verb(stated, wanted, denied)
            return
    for term in dict.fromkeys(spoken_of(stated, wanted)):
        match = Loose()
        if (isinstance(term, Kind) and not denied) or (settled and term == stated.who):
            continue  # of a kind: some are, and whether this one is, is open
        if match.term(term, wanted.who):
            yield match.met


def only_of(stated: Pred) -> set[Ind] | None:
    """The individuals of whom alone it speaks: it is near to nothing that is wanted of others.

    None if it may be of anybody. What they have or like, some one of a kind, is nobody.
    """
    terms = {part for term in stated.terms if term is not None for part in walk(term)}
    told = any(adverb.startswith("that ") for adverb in stated.advs)
    some = {term for term in terms if isinstance(term, Ind)}
    others = any(not isinstance(term, Kind) for term in terms - some)
    return None if told or others or not isinstance(stated.subj, Ind) else some


def _settled(stated: Rule, wanted: Pred, denied: bool) -> bool:
    """By itself or by what follows from it in other words: no blocked square, the bridge square."""
    for rule in (stated, *wordings(stated)):
        met = entails(wanted, rule.head) if rule.negative else entails(rule.head, wanted)
        if met is not None and not (met.extra and denied if rule.negative else met.witness):
            return True
    return False


def other_mode(stated: Pred, wanted: Pred, denied: bool) -> bool:
    """May book: has not booked. May be ill: whether it is so, is open.

    What is only reported, planned or past is not so, unless it is wanted to be absent.
    """
    first = stated.mode.removeprefix("be ").partition(" ")[0]
    verbs = {stated.lemma, *(f"{stated.lemma} {prep}" for prep, _ in stated.tails)}
    if stated.form == "verb" and verbs & LISTS["not-yet"]:
        return True
    unsure = {adverb.partition(" ")[0] for adverb in {*stated.advs} - {*wanted.advs}}
    unsure |= {*stated.mods} - {*wanted.mods}
    if unsure & LISTS["unproven"] and not denied and first != "will":
        return True
    if wanted.mode == stated.mode:
        return False
    if first in ("must", "should") and stated.tense == "perf":
        return False  # must have paid: has, it seems
    if not denied and stated.mode and {first, verb_base(first)}.isdisjoint(LISTS["stated-by"]):
        return True
    if wanted.mode == "can" and not stated.mode and stated.lemma == wanted.lemma:
        return False  # borrows books: is able to, and free to?
    if wanted.mode or first in LISTS["not-yet"] or "about" in stated.mode:
        return True
    if first in ("may", "might", "could"):
        acts = stated.form == "verb" and not stated.passive and stated.lemma != "have"
        return not denied or (first == "may" and acts)
    return first in ("must", "should", "shall")


def _overlap(stated: Pred, wanted: Pred, denied: bool) -> bool:
    """They share a content word, or a place, where sharing it may matter."""
    held = (noun_in(term) for prep, term in stated.tails if prep == "with")
    if wanted.lemma in ("have", "use") and noun_in(wanted.obj) in held:
        return True  # saw the man with the telescope
    phrasal = stated.obj and LISTS["particles"] & {*stated.advs}  # called off the wedding
    if phrasal and wanted.form == "verb" and (stated.subj, stated.obj) == (wanted.subj, wanted.obj):
        return True
    if wanted.form == "noun" and wanted.lemma in LISTS["crews"] and stated.lemma == "work":
        return True
    if wanted.form == "prep" and stated.lemma in LISTS["staying"]:
        return (wanted.lemma, wanted.obj) in stated.tails  # works in Rome: is there, too?
    if wanted.lemma in ("own", "possess") and stated.lemma == "have":
        return True
    keys = keys_of(wanted, whole=wanted.form == "noun" and stated.form in ("verb", "prep"))
    words = dict.fromkeys(_content(stated, denied))
    pairs = ((word, where, key) for word, where in words for key in keys if family(word, key))
    return any(
        _fits(word, where, key, stated, wanted)
        for word, where, key in pairs
        if denied or where != "like" or stated.passive
    )


def _fits(word: str, where: str, key: str, stated: Pred, wanted: Pred) -> bool:
    if where == "of":
        return wanted.lemma == "have"
    if word == key and stated.form == "adj" and wanted.form != "adj":
        return wanted.subj is None  # he is fine; he has a fine
    if wanted.form == "noun" and where == "noun":
        joined = stated.form == "prep" and wanted.lemma.endswith(" member")  # in the choir
        return joined or word != key or stated.lemma in ("become", "join", "make")
    if wanted.form == "verb" and wanted.lemma == "have" and where == "noun":
        about = stated.form != "verb" or isinstance(stated.who, Owned)
        return about or stated.lemma in LISTS["have-like"]
    return True


def _content(pred: Pred, denied: bool) -> Iterator[tuple[str, str]]:
    """Each content word, and where it stands: pred, noun, of (a noun), like, as."""
    if pred.lemma not in ("be", "have", "do"):
        yield from ((word, "pred") for word in pred.lemma.split())
    yield from ((mod.rpartition(" ")[2], "pred") for mod in pred.mods)
    for prep, term in (("", pred.subj), ("", pred.obj), *pred.tails):
        where = prep if prep in ("like", "as") else "noun"
        for part in walk(term) if term is not pred.subj or not isinstance(term, Ind) else ():
            if isinstance(part, Kind) or (isinstance(part, Ind) and not part.is_name):
                noun = noun_of(part.key) if isinstance(part, Ind) else part.noun  # in the red box
                yield from ((word, where) for word in noun.replace("'s", "").split())
        if isinstance(term, Kind) and pred.lemma == "have":
            yield from ((mod, "of") for mod in term.mods)
    for adverb in pred.advs:
        told = adverb.startswith(("that ", "whether ")) and pred.lemma in _TOLD
        if denied or not told:
            yield from ((word.lower(), "pred") for word in adverb.split())


def spoken_of(pred: Pred, wanted: Pred) -> Iterator[Any]:
    """Those of whom it may be stated, the subject first."""
    if wanted.form == "noun" and pred.form == "verb" and pred.subj is not None:
        yield pred.subj
        return
    acting = isinstance(pred.obj, (Ind, Var)) and family(pred.lemma, wanted.lemma)
    for term in pred.terms[1 if acting and wanted.passive and pred.form == "verb" else 0 :]:
        noun = noun_in(term).rpartition(" ")[2]
        part = noun in LISTS["body"] or any(family(noun, key) for key in keys_of(wanted))
        if isinstance(term, Owned) and not part:
            yield term  # Karl's dog is banned: Karl is not
        elif term is not None:
            yield from (t for t in walk(term) if t is pred.who or not isinstance(t, Kind))
    for word in (word for adv in pred.advs if adv.startswith("that ") for word in adv.split()):
        if word[:1].isupper() or word in ("he", "she", "it", "they"):
            yield Ind(word) if word[:1].isupper() else pred.subj


def _same_verb(stated: Pred, wanted: Pred, denied: bool) -> Iterator[Met]:
    """Who does it must fit who should, and to whom likewise."""
    match, some = Loose(), stated.subj
    counted = isinstance(some, Kind) and LISTS["counts"] & {*some.mods}
    if isinstance(some, Kind) and not (some.plural or counted or stated.tense or denied):
        one = some.noun in ("someone", "something") or wanted.subj == Ind(f"typical {some.noun}")
        if isinstance(wanted.subj, Ind) and not one:
            return  # some rabbits bite: whether this one does is open
    for said, want in ((stated.subj, wanted.subj), (stated.obj, wanted.obj)):
        if said is None or want is None:
            continue
        if isinstance(said, Kind) and isinstance(want, Var):
            return  # likes a horse: none of those who are known
        owned = isinstance(said, Owned) and isinstance(want, Ind)
        each = isinstance(said, Kind) and (said.plural or isinstance(stated.subj, Var))
        if each and isinstance(want, Ind):
            match.extra += [Cnd(pred) for pred in described(said, want)]
        if not (owned and family(said.kind.noun, want.key)) and not match.term(said, want):
            return
    yield match.met


def _other_class(stated: Pred, wanted: Pred, denied: bool) -> bool:
    """A guard dog is no guide dog, and a dog need not be one. A dog sitter is no dog."""
    *before, one = stated.lemma.replace("-", " ").split()
    *other_before, other = wanted.lemma.replace("-", " ").split()
    if not denied and stated.lemma != wanted.lemma and LISTS["unproven"] & {*stated.mods, *before}:
        return True
    if not family(one, other):
        return not before or before[-1] == other or not family(before[-1], other)
    if one != other:
        return False
    if before and other_before:
        return before != other_before and before[0] not in LISTS["privative"]
    return len(before) < len(other_before)


def _otherwise(stated: Pred, wanted: Pred, denied: bool) -> bool:
    """By or to another: bitten by a mosquito, not by a snake; works for Acme, not for Bolt."""
    if "only" in stated.advs:
        return False  # eats only plants: no meat
    sure = not denied
    more = {*wanted.advs} - {"ever", *stated.advs}
    less = {*stated.advs} <= {*wanted.advs} and {*stated.tails} <= {*wanted.tails}
    if sure and more and less and not more & LISTS["doubtful"]:
        return True  # has seen it; has seen it twice
    one = sure and not isinstance(stated.subj, Var)  # unless all beat cats
    if stated.form != "noun" and _other(stated.subj, wanted.subj):
        return True
    if stated.form != "noun" and _other(stated.obj, wanted.obj, sure, one):
        return True
    tails = {term: prep for prep, term in stated.tails}
    if any(elsewhere(tails[term], prep) for prep, term in wanted.tails if term in tails):
        return True
    by_clock = any(_by_clock(one, other) for one in tails for _, other in wanted.tails)
    for prep, term in wanted.tails if not by_clock else ():
        others = [other for p, other in stated.tails if p == prep or {p, prep} <= {*PLACES}]
        if others and all(_other(other, term) for other in others):
            return True
    return False


def _by_clock(*terms: Any) -> bool:
    """At midnight, at twelve o'clock at night"""
    texts = (t.words if isinstance(t, Kind) else t.key if isinstance(t, Ind) else "" for t in terms)
    return all(LISTS["clock"] & {*text.split()} for text in texts)


def _fewer(said: Kind, want: Kind) -> bool:
    """nine baskets, ten baskets"""
    counts = [number_of(m) for kind in (said, want) for m in kind.mods if is_count(m)]
    return len(counts) == 2 and (counts[0] or 0) < (counts[1] or 0)


def _other(said: Any, want: Any, sure: bool = False, one: bool = False) -> bool:
    """They cannot be one; `sure`: or need not, a sofa, a leather sofa; `one`: a cat, Ginger."""
    if isinstance(said, Kind) and isinstance(want, Kind):
        one_noun, kin = said.noun == want.noun, is_a(want.noun, said.noun)
        mods = {*said.mods, *want.mods} if one_noun and said.mods and want.mods else set()
        plain = not mods & _BLURRED and not any(" " in mod for mod in mods)
        if mods and plain and not {*said.mods} & {*want.mods}:
            return True  # sick leave, annual leave
        more = {*want.mods} > {*said.mods} or _fewer(said, want) if one_noun else kin
        if sure and (more or LISTS["unproven"] & {*said.mods} - {*want.mods}):
            return True
        kin = kin or is_a(said.noun, want.noun) or family(said.noun, want.noun)
        return not (kin or want.noun in said.words.split())
    if isinstance(said, Ind) and isinstance(want, Ind):
        return said != want
    kind, ind = (said, want) if isinstance(said, Kind) else (want, said)
    if not isinstance(kind, Kind) or not isinstance(ind, Ind):
        return False
    if not ind.is_name and not kind.mass:
        noun = noun_of(ind.key)
        kin = is_a(kind.noun, noun) or is_a(noun, kind.noun) or family(kind.noun, noun)
        return not (kin or kind.noun in ("someone", "something"))  # a match, the cup
    return (kind.mass and kind.words != ind.key) or (
        one and kind is said and not kind.plural and ind.is_name
    )
