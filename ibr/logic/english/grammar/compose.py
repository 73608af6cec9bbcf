"""english.lark → meaning: which function gives each rule its meaning, and what each choice costs.

The costs are the explicit preferences between readings of one sentence: the cheapest meaning wins,
and two different meanings at the same cost leave the sentence unread.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import ModuleType
from typing import Any

from ibr.logic.english.grammar import complements, lists, nouns, states, verbs
from ibr.logic.english.grammar.forest import Leaf, Priced
from ibr.logic.english.grammar.meaning import (
    NP,
    About,
    All,
    Atom,
    Elided,
    Formula,
    Joined,
    Not,
    Noun,
    Rule,
    Several,
    Unclear,
    Under,
)
from ibr.logic.words import MODALS

# "may enter and use it": a list joins the nearest phrases it can.
COSTS = {
    "clauses.more": 3,
    "vps_s.more": 2,
    "vps_p.more": 2,
    "bases.more": 1,
    "parts.more": 1,
    # "anyone who owns Catan or Azul": a list of objects rather than of subjects.
    "subject_s.either": 3,
    "subject_p.pair": 1,
    # "parked in the hall or the garden": of places rather than of what something is.
    "comps.more": 1,
    "comps_p.more": 1,
    "comps.more_not": 1,
    "comps.more_class": 2,
    # "is ringing", "is free": a state rather than a kind of stuff.
    "comp.classed": 2,
    "comps_p.more_not": 1,
    # "uses company cars": one noun phrase rather than two.
    "rest.rest": 1,
    "tail.rest": 1,
    "rest.gift": 4,
    # "Is the atlas kept here?": a verb rather than what follows a noun.
    "plains.one": 3,
    "plains.both": 4,
    "post.part_alone": 3,
    "object.thing_that": 4,
    # "Grace is a nurse": a name rather than a mass noun.
    "np_s.bare": 2,
}


def plain(main: Rule) -> Rule:
    return main


def main(clauses: Joined) -> Rule | None:
    formula = lists.formula_of(_filled(clauses), loose=True)
    return None if formula is None else Rule(formula)


def only(_: Leaf, subject: Joined, said: Joined) -> Rule | None:
    formula = predication(subject, said)
    return None if formula is None else Rule(formula, only=True)


def ruled(*children: Any) -> Rule:
    at = next(i for i, child in enumerate(children) if isinstance(child, Rule))
    found: Rule = children[at]
    clauses = isinstance(found.main, All) and all(isinstance(i, About) for i in found.main.items)
    if clauses and len(children) > at + 1:
        found = Rule(Unclear("it is not clear for which of its clauses the last condition holds"))
    before = tuple(under for child in children[:at] for under in child)
    after = tuple(under for child in children[at + 1 :] for under in child)
    if len({under.word for under in after}) < len(after):  # red when rough and blue when kind
        found = Rule(Unclear(f'"{after[0].word}" twice: say it in two sentences'))
    return found._replace(before=before, after=after)


def amid(
    subject: Joined, _: Leaf, unders: tuple[Under, ...], __: Leaf, said: Joined
) -> Rule | None:
    """A member, if he is late, must wait."""
    formula = predication(subject, said)
    return None if formula is None else Rule(formula, after=unders)


def under(*children: Any) -> tuple[Under, ...] | None:
    how = next(c for c in children if isinstance(c, Leaf) and c.type not in ("COMMA", "AND"))
    clauses = next(child for child in children if isinstance(child, Joined))
    formula = lists.formula_of(_filled(clauses), loose=True)
    return None if formula is None else (Under(how.type, formula, how.text),)


def under_unless(*children: Any) -> tuple[Under, ...] | None:
    at = next(i for i, c in enumerate(children) if isinstance(c, Leaf) and c.type == "UNLESS")
    first, second = under(*children[:at]), under(*children[at:])
    return None if first is None or second is None else first + second


def excepting(*children: Any) -> tuple[Under, ...] | None:
    formula = nouns.except_post(children[-2], children[-1])
    return None if formula is None else (Under("EXCEPT", formula),)


def predication(subject: Joined, said: Joined | Elided) -> Formula | None:
    link = lists.link_of(subject)
    formula = said if isinstance(said, Elided) else lists.formula_of(said, loose=True)
    if formula is None or link is None:
        return None
    items: tuple[NP, ...] = subject.items  # type: ignore[assignment]
    if len(items) == 1:
        return About(items[0], formula)
    if _ends_open(items):
        return Unclear("it is not clear whether its last condition is for all of its subjects")
    return Unclear(lists.MIXED) if link == "mixed" else About(Several(items, link), formula)


def _ends_open(items: tuple[NP, ...]) -> bool:
    """members and guests who have a card: do both need it? (not: guests and members of the club)"""
    last = items[-1]
    if last.kind != "kind" or not last.tests or all(np.tests for np in items):
        return False
    kin = last.tests[0]
    return not (isinstance(kin, Atom) and kin.relation.endswith(" of"))


def _filled(clauses: Joined) -> Joined:
    """ "The blender is broken, but the toaster is not": said of the toaster too."""
    items: list[object] = []
    for item in clauses.items:
        if isinstance(item, About) and isinstance(item.said, Elided):
            before = items[-1] if items else None
            item = About(item.subject, _said_again(before, item.said))
        items.append(item)
    return Joined(tuple(items), clauses.links)


def _said_again(before: object, elided: Elided) -> Formula:
    said = before.said if isinstance(before, About) else None
    core = said.item if isinstance(said, Not) else said
    if not isinstance(core, Atom):
        return Unclear(f'it is not clear what follows "{elided.aux}"')
    aux = {"are": "is", "have": "has", "were": "was", "do": "does"}.get(elided.aux, elided.aux)
    first, _, tail = core.relation.partition(" ")
    simple = first not in ("is", "was", *MODALS) and not (first == "has" and tail)
    if first != aux and not (aux in ("does", "did") and simple):
        return Unclear(f'it is not clear what follows "{elided.aux}"')
    return Not(core) if elided.negative else core


def elided(aux: Leaf, *negation: Leaf) -> Elided:
    return Elided(aux.text, bool(negation))


def either(*children: Any) -> Joined:
    return Joined(tuple(c for c in children if isinstance(c, NP)), ("or",))


def neither(*children: Any) -> Joined:
    return Joined(tuple(c for c in children if isinstance(c, NP)), ("nor",))


def shared(determiner: str | Leaf, first: Noun, link: Leaf, second: Noun) -> Joined | None:
    """the door and window; any employee or contractor"""
    items = (nouns.described(determiner, first), nouns.described(determiner, second))
    return None if None in items else Joined(items, ("and" if link.type == "AND" else "or",))


def besides(first: NP, *rest: Any) -> Joined:
    return Joined((first, rest[2]), ("and",))


def after(*children: Any) -> Any:
    return children[-1]


def sep(*_: Leaf) -> str:
    return "sep"


def ask_be(aux: Leaf, subject: Any, comps: Joined) -> Formula | None:
    return _asked(subject, verbs.be(aux, comps))


def ask_do(aux: Leaf, subject: Any, bases: Joined) -> Formula | None:
    formula = lists.formula_of(bases)
    tell = verbs.past if aux.type == "DID" else verbs.present
    return None if formula is None else _asked(subject, lists.retold(formula, tell))


def ask_modal(aux: Leaf, subject: Any, bases: Joined) -> Formula | None:
    return _asked(subject, verbs.modal(aux, bases))


def ask_perfect(aux: Leaf, subject: Any, parts: Joined) -> Formula | None:
    return _asked(subject, verbs.perfect(aux, parts))


def _asked(subject: NP | Joined, formula: Formula | None) -> Formula | None:
    if formula is None:
        return None
    return predication(
        subject if isinstance(subject, Joined) else Joined((subject,)), Joined((formula,))
    )


def _by_name(module: ModuleType, names: str) -> dict[str, Callable[..., Hashable]]:
    return {name: getattr(module, name) for name in names.split()}


# Rules of english.lark whose action has the same name.
_ACTIONS: dict[str, Callable[..., Hashable]] = {
    **_by_name(
        nouns,
        """words_and graded noun name name_who name_as letter pronoun other described bare anyone
        whoever thing thing_who thing_that owned who whose both follow except_post""",
    ),
    **_by_name(
        lists,
        "conj one not_one more more_not more_if more_objects nor no_objects pair",
    ),
    **_by_name(complements, "rest gift with_prep with_preps with_state alone to_do"),
    **_by_name(
        verbs,
        "bare_verb finite never do_not modal need_not perfect have_done be word linked linking",
    ),
    **_by_name(
        states,
        """related acted located classified classed someone_who identity kin_of prep_post part_post
        adj_post more_class""",
    ),
    # Rules that share an action, or whose name means something else in Python.
    "words": nouns.words_,
    "det_s": nouns.det,
    "det_p": nouns.det,
    "odet": nouns.det,
    "adet": nouns.det,
    "number": nouns.name,
    "attribute": states.attributed,
    "part_alone": states.part_post,
    "plain": plain,
    "main": main,
    "only": only,
    "ruled": ruled,
    "amid": amid,
    "under": under,
    "under_unless": under_unless,
    "excepting": excepting,
    "predication": predication,
    "elided": elided,
    "either": either,
    "neither": neither,
    "besides": besides,
    "shared": shared,
    "after": after,
    "sep": sep,
    "ask_be": ask_be,
    "ask_do": ask_do,
    "ask_modal": ask_modal,
    "ask_perfect": ask_perfect,
}


def act(name: str, children: tuple[Any, ...]) -> Hashable:
    """The meaning of one rule of the grammar; a rule without an action passes its child on."""
    action = _ACTIONS.get(name)
    if action is None:
        (child,) = children
        return child  # type: ignore[no-any-return]
    value = action(*children)
    if isinstance(value, Unclear) and value.cost:
        return Priced(Unclear(value.reason), value.cost)
    return value
