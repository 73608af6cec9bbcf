"""What the rules of english.txt make of clauses and sentences."""

from __future__ import annotations

from typing import Any

from ibr.logic.english.grammar.occasions import excluding, time_of
from ibr.logic.english.grammar.tree import (
    NP,
    PP,
    Clause,
    Co,
    Cond,
    Costly,
    Except,
    Not,
    Rel,
    SuchAs,
    There,
    V,
    mapped,
)  # fmt: skip
from ibr.logic.english.grammar.verb_builders import (
    Advs,
    Choice,
    modal,
    negated,
    tailed,
)  # fmt: skip
from ibr.logic.english.lexis.lists import LISTS

_AROUND = ("at", "in", "inside", "on", "outside", "under")


def trailing(main: Any, *trails: Any) -> Any:
    """Conditions and exceptions after a clause."""
    excepts = (isinstance(t, Cond) and t.kind == "except" for t in trails)
    for trail in trails:
        if isinstance(main, Except) or (len(trails) > 1 and any(excepts)):
            return None  # an exception to the exception?
        if isinstance(trail, Cond) and trail.main == "short":
            trail = _short(trail, main)
        if trail is None:
            return None
        if isinstance(trail, Cond) and trail.kind == "except":
            main = excluding(main, trail.cond)
            continue
        if isinstance(trail, Cond) and trail.kind == "while":
            return during(trail.cond, main)
        if isinstance(trail, Cond) and trail.kind in ("until", "till", "before"):
            main = waiting(trail, main)
            continue
        main = trail._replace(main=main)
    return main


def waiting(trail: Cond, main: Any) -> Cond | None:
    """may not enter until the bell rings: unless it rings; but not: may not eat before they swim"""
    verb = main.vp.body if isinstance(main, Clause) and isinstance(main.vp, Not) else None
    if isinstance(main, Clause) and getattr(main.subj, "det", "") in ("nobody", "no"):
        verb = None if verb else main.vp
    if not isinstance(verb, V) or verb.tense == "past":
        return None
    first = trail.cond.items[0] if isinstance(trail.cond, Co) else trail.cond
    again = isinstance(first, Clause) and getattr(first.subj, "det", "") == "pro"
    if trail.kind == "before" and again and getattr(first.vp, "tense", "") != "perf":
        return None
    return Cond("unless", trail.cond, main)


def excepting(np: Any, word: str, other: Any) -> NP | None:
    """everybody but the chairman; all dogs except guide dogs"""
    if not isinstance(np, NP) or np.excepts:
        return None
    whole = np.det in ("everyone", "nobody", "all", "every", "no", "any") or np.word == "all"
    if np.det == "the" and np.word == "all":
        np = np._replace(plural=True)  # all the sheep
    general = np.det in LISTS["universal"] or (np.det == "the" and np.plural)
    if word == "but" and not whole:
        return None
    if not general or (word == "but not" and np.det == "nobody"):
        return None
    if isinstance(other, NP) and other.noun == "one":  # all the windows but the round one
        other = other._replace(noun=np.noun) if np.noun and other.mods else None
    return np._replace(excepts=(other,)) if other else None


def _short(trail: Cond, main: Any) -> Cond | None:
    """unless accompanied by an adult, if registered"""
    subj = main.subj if isinstance(main, Clause) else None
    if not isinstance(subj, NP):
        return None
    pro = NP("pro", word="they" if subj.plural else "it", plural=subj.plural, at=-1)
    return trail._replace(cond=Clause(pro, trail.cond))


def including(main: Any, word: str, np: Any) -> Any:
    """All staff are insured, including volunteers."""
    subj = main.subj if isinstance(main, Clause) else None
    if not isinstance(subj, NP):
        return None
    return main._replace(subj=subj._replace(posts=(*subj.posts, SuchAs(np, word))))


def two_rules(one: Any, other: Any) -> Any:
    return Co("and", (one, other)) if isinstance(one, Cond) and isinstance(other, Cond) else None


def last_alone(clause: Any, main: Any) -> Any:
    """Members may ski and guests may swim if the warden agrees: the last, or both."""
    return Co("and", (clause, main)) if isinstance(main, Cond) else None


def claimed(not_: str, truth: str, clause: Any) -> Any:
    """it is not true that …"""
    return negated(clause, bool(not_) + (truth == "false"))


def because(clause: Any, other: Any, word: str) -> Co | None:
    """Both are stated. But not: Tom is not late because it rained"""
    if not isinstance(clause, Clause) or not isinstance(other, Clause):
        return None
    scoped = word == "because" and isinstance(clause.vp, Not)
    return None if scoped else Co("apart", (clause, other))


def contrasted(clause: Any, other: Any) -> Co | None:
    """Caravans get electricity, tents do not."""
    verb = getattr(other, "vp", None)
    verb = verb.body if isinstance(verb, Not) else verb
    return Co("and", (clause, other)) if getattr(verb, "form", "") == "ellipsis" else None


def given(word: str, np: Any, clause: Any) -> Any:
    """Without a ticket you cannot enter."""
    subj = clause.subj if isinstance(clause, Clause) else None
    if getattr(subj, "det", "") in ("nobody", "no"):
        return fronted(PP(word, np), clause)
    if not isinstance(subj, NP) or not isinstance(np, NP) or np.det not in ("a", "mass", "bare"):
        return None
    has = V("prep", word, obj=np)
    if subj.det in ("someone", "everyone"):
        if subj.word.endswith("thing"):
            return None  # without a receipt nothing is returned: who has one?
        return clause._replace(subj=subj._replace(posts=(*subj.posts, Rel(has))))
    return Cond("if", Clause(_again(subj), has), clause)


def _again(np: NP) -> NP:
    return np if np.det in ("var", "name") else NP("pro", word="they", plural=True, at=-1)


def fronted(place: PP | str, clause: Any) -> Any:
    """At night the doors are locked."""
    if isinstance(clause, There) and isinstance(place, PP):
        return clause._replace(tails=(place, *clause.tails))
    vp = clause.vp if isinstance(clause, Clause) else None
    if vp is None or (isinstance(vp, V) and vp.form == "noun"):
        return None
    if isinstance(place, str):
        return clause._replace(vp=mapped(vp, lambda v: v._replace(advs=(*v.advs, place))))
    return clause._replace(vp=mapped(vp, lambda v: v._replace(tails=(*v.tails, place))))


def exempt(np: Any, word: str, other: Any, vp: Any) -> Any:
    """Apart from the twins, everyone eats fish."""
    made = excepting(np, word, other)
    several = isinstance(vp, V) and isinstance(vp.obj, NP) and vp.obj.word in ("all", "every")
    return Clause(made, vp) if made and not several else None  # or of the objects?


def happening(np: Any, at: int) -> Any:
    """in case of rain"""
    if isinstance(np, NP) and np.noun in LISTS["weather"] and np.det == "mass" and not np.mods:
        return Clause(NP("it", word="it", at=at), V("verb", np.noun))
    return There(np)


def during(conds: Any, main: Any) -> Cond | None:
    """While the alarm is on, nobody may enter. But not: while Tom is here, Ann is there."""
    verb = getattr(main, "vp", None)
    verb = verb.body if isinstance(verb, Not) else verb
    return Cond("if", conds, main) if isinstance(verb, V) and verb.mode else None


def turn(not_: str, np: NP) -> Any:
    """it is Yara's turn: she has it"""
    had = Clause(np.owner, V("verb", "have", obj=NP("a", np.noun, mods=np.mods, at=np.at)))
    return negated(had, bool(not_))


def should(np: Any, vp: Any) -> Any:
    """Should it rain, should Tom come"""
    it = weather(np.at, vp) if getattr(np, "word", "") == "it" else None
    return it.tree if it else Clause(np, vp)


def weather(at: int, vp: Any, asked: int = 0) -> Any:
    """it rains, it is cold"""
    inner = vp.body if isinstance(vp, Not) else vp
    if not isinstance(inner, V):
        return None
    time = time_of(inner.obj) if inner.form == "noun" else ""
    if time.endswith("day") and inner.obj.det == "a":  # it is a holiday
        return Costly(Clause(NP("it", word="it", at=at), vp), -2)
    if time and inner.obj.det != "a":
        return Costly(Clause(NP("it", word="it", at=at), mapped(vp, lambda v: V("adj", time))), -2)
    is_verb = inner.form == "verb" and inner.lemma in LISTS["weather"]
    if not is_verb and any(tail.prep not in _AROUND for tail in inner.tails):
        return None
    if is_verb or (inner.form == "adj" and inner.lemma in LISTS["weather-adj"]):
        return Costly(Clause(NP("it", word=inner.lemma, at=at), vp), -max(asked, is_verb))
    return None


def norm(not_: str, leave: str, tree: Any, tails: tuple[Any, ...], np: Any = None) -> Any:
    """Smoking is forbidden in the hall: nobody may. Parking is allowed for residents: they may."""
    if isinstance(tree, Co | Not) or (np is None and any(_of_whom(tail) for tail in tails)):
        return None
    said = tailed(tree, tails if leave else tuple(map(_any_of, tails)))
    if said is None:
        return None
    may, everyone = modal(said.tree, "may"), NP("everyone", word="everyone")
    if bool(leave) != bool(not_):
        return Costly(Clause(np or everyone, may), said.cost)
    all_of = getattr(np, "det", "") == "everyone"  # for everyone on board: nobody there may
    nobody = (np if all_of else everyone)._replace(det="nobody", word="nobody")
    return Costly(Clause(np, Not(may)) if np and not all_of else Clause(nobody, may), said.cost)


def _any_of(tail: Any) -> Any:
    """is forbidden in all of my houses: in any one of them"""
    np = tail.np if isinstance(tail, PP) and isinstance(tail.np, NP) else NP("")
    of = (PP("of", np.owner),) if np.owner else ()
    one = np._replace(det="a", plural=False, owner=None, posts=(*of, *np.posts), word="")
    return tail._replace(np=one) if np.det in ("all", "every") or np.word == "all" else tail


def _of_whom(tail: Any) -> bool:
    return isinstance(tail, PP) and tail.prep in ("for", "to", "only for")


def requires(np: Any, aim: Any, means: Any) -> Cond | None:
    """To vote, you must be a member: you may vote only if you are one."""
    if not isinstance(np, NP) or isinstance(aim, Not) or isinstance(means, Not):
        return None
    return Cond("only if", Clause(_again(np), means), Clause(np, modal(aim, "may")))


def there(advs: Advs, np: Any, tails: tuple[Any, ...], tense: str = "") -> Any:
    if advs.words or any(isinstance(tail, Choice) for tail in tails):
        return None
    places = tuple(tail for tail in tails if isinstance(tail, PP))
    if places and places[0].prep == "of":
        return None  # a backup of the database
    return negated(There(np, places, tense), advs.denials)
