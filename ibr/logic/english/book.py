"""A rulebook read as one: lexicon, trees, discourse, rules."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from ibr.logic.budget import spend
from ibr.logic.clause import Clause
from ibr.logic.english.given import classes_by_template, rule_of
from ibr.logic.english.grammar.chart import OutOfBudget
from ibr.logic.english.grammar.sentences import Grammar
from ibr.logic.english.lexis import splitting as tokens
from ibr.logic.english.lexis.forms import ADJECTIVE, classes, is_listed, verb_base
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.people import names_alone, places_in, vague_in
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.lexis.usage import listed
from ibr.logic.english.meaning.formulas import (
    both,
    classes_in,
    masses_in,
    times_in,
    weather_in,
)
from ibr.logic.english.meaning.horn import cases_of, exempts_of, opens_of, refuted_by, rules_of
from ibr.logic.english.meaning.interpret import Meaning
from ibr.logic.english.meaning.literals import Refusal, Unsayable, clause_of
from ibr.logic.english.meaning.reference.again import filled_in, things_in
from ibr.logic.english.meaning.reference.discourse import Discourse, Ref, named, person_of
from ibr.logic.english.meaning.terms import Ind, Rule
from ibr.logic.english.mentions import name_possessions, point_back, remember
from ibr.logic.english.questions import Questions
from ibr.logic.english.remark import is_about_itself, is_heading
from ibr.logic.english.sentence import (
    Asked,
    Sentence,
    doubt_members,
    doubt_taken_back,
    interpretations,
    making,
    odd_name,
    read_exemptions,
    same_as,
    states_of,
)  # fmt: skip
from ibr.logic.english.wording.circles import circle_of
from ibr.logic.reading import Reading
from ibr.logic.surface import templates
from ibr.theory import Kind as SentenceKind

_WANTING = LISTS["wanting"] | LISTS["failing"]
_ENDS = (".", "!", ":", ";", '"', ")", "”")


class Book(Questions):
    """Sentences in order; `remarks` are those that say nothing, by their author's word.

    `extra` words are names because a question writes them so.
    """

    def __init__(
        self,
        texts: Sequence[str],
        remarks: frozenset[int] = frozenset(),
        extra: frozenset[str] = frozenset(),
    ) -> None:
        words = [tokens.split(text) for text in texts]
        self.names = tokens.names_in(words) | extra
        raws = [tokens.tokenize(w, self.names) for w in words]
        self.spoken_of = frozenset(raw.text for said in raws for raw in said if raw.name)
        self.lexicon = Lexicon(raws)
        for text in texts:
            for word, cls in classes_by_template(text):
                self.lexicon.teach(word, cls)
        found = [templates.parse(text) for text in texts]
        plain = not remarks and all(f and f.text.endswith(".") for f in found)
        self._read_all(texts, remarks, raws, parse=not plain)
        if plain and not all(sentence.rules for sentence in self.sentences):
            self._read_all(texts, remarks, raws, parse=True)
        self.own_described = dict(self.discourse.described)

    def _read_all(
        self, texts: Sequence[str], remarks: frozenset[int], raws: list[Any], parse: bool
    ) -> None:
        """RuleTaker's sentences need no grammar, unless somebody in them is known otherwise."""
        self.sentences = [Sentence(text, remark=i in remarks) for i, text in enumerate(texts)]
        for sentence, raw in zip(self.sentences, raws, strict=True):
            sentence.remark = sentence.remark or is_about_itself(sentence.text)
            template = templates.parse(sentence.text)
            sentence.template = template.clauses if template else ()
            if parse and not sentence.remark:
                self._parse(sentence, raw)
        read_exemptions(self.sentences)
        alone = frozenset(names_alone(texts)) & self.names
        first = [s.trees[0][0] for s in self.sentences if s.trees]
        every = [tree for s in self.sentences for tree, _ in s.trees]
        masses = frozenset(noun for tree in first for noun in masses_in(tree))
        weather = frozenset(word for tree in every for word in weather_in(tree))
        classes = frozenset(noun for tree in first for noun in classes_in(tree))
        now = frozenset(time for tree in first for time in times_in(tree))
        known = Discourse(
            alone, masses=masses, weather=weather, classes=classes, vague=vague_in(raws),
            places=places_in(raws), now=now,
        )  # fmt: skip
        self.discourse = deepcopy(known)
        self._interpret()
        roles, aliases = named([rule for sentence in self.sentences for rule in sentence.rules])
        states = states_of(self.sentences)
        if aliases or states:
            self.discourse = known
            self.discourse.roles, self.discourse.aliases = roles, aliases
            self.discourse.states = states
            self.discourse.weather |= {word for word, who in states.items() if who == {Ind("it")}}
            self._interpret()
        point_back(self.discourse, self.sentences)
        name_possessions(self.discourse, self.sentences)
        self._refuse_circles()
        if not all(sentence.template for sentence in self.sentences):
            doubt_members(self.sentences, self.discourse.described)
            doubt_taken_back(self.sentences)

    def _parse(self, sentence: Sentence, raw: list[Any]) -> None:
        """Trees, or the reason why there is none."""
        text = sentence.text.rstrip()
        if text.endswith("?"):
            sentence.reason = "it is a question"
            return
        template, grammar = sentence.template, Grammar(raw, self.lexicon)
        ends = text.endswith(("!", ".", "?"))  # so no heading, and nobody needs to be looked for
        heading = not ends and is_heading(text, grammar, self._spoken_of_beside(sentence))
        sentence.reason = "" if template else grammar.refused() or odd_name(raw, self.sentences)
        if sentence.reason:
            sentence.remark = heading
            return
        try:
            found = sorted(grammar.statement(), key=lambda f: f[2])
        except (OutOfBudget, RecursionError):
            sentence.reason = "it is too long or too tangled"
            return
        sentence.trees = [(tree, cost) for _, tree, cost in found]
        if found and heading and not text.endswith(_ENDS):
            sentence.trees, sentence.template = [], ()
            sentence.remark = found[0][2] > 1
            sentence.reason = "it may be a heading, or a sentence without its full stop"
        elif not found and not template:
            sentence.remark = heading
            sentence.reason = "" if heading else grammar.why_not()

    def _spoken_of_beside(self, sentence: Sentence) -> frozenset[str]:
        """The names that other sentences use, too."""
        spend(len(self.names))
        others = " ".join(s.text for s in self.sentences if s is not sentence)
        return frozenset(n for n in self.names if n in others and not is_listed(n.lower()))

    def _interpret(self) -> None:
        for i, sentence in enumerate(self.sentences):
            sentence.rules, sentence.others = [], []
            if not sentence.text.startswith("Otherwise"):
                self.discourse.last_condition = None  # it goes on from the sentence before
            if sentence.text.startswith("Then ") and i and self.sentences[i - 1].reason:
                sentence.reason = "it goes on from a sentence that cannot be read"
                continue
            if sentence.template and self._read_template(sentence):
                sentence.reason = ""
            elif sentence.trees:
                self._read(sentence)
            elif sentence.template:
                sentence.reason = sentence.reason or "it can be read only by itself"
            if sentence.rules:
                remember(self.discourse, sentence)
            if sentence.trees:
                self.discourse.things = things_in(sentence.trees[0][0]) or self.discourse.things

    def _read_template(self, sentence: Sentence) -> bool:
        """Whether its clauses say all: nobody in it is known otherwise."""
        terms = {str(t) for clause in sentence.template for t in clause.entities}
        aliases, roles = self.discourse.aliases, self.discourse.roles
        had = {kind.noun for kind in self.discourse.witnesses}
        known = {*self.discourse.members, *had, *aliases}
        if terms & known or any(f"the {term}" in roles for term in terms):
            return False
        described = self.discourse.described
        new = [term for term in terms if term.islower() and term not in described]
        if any(f" {term} " in f" {other} " for term in new for other in described):
            return False  # the bread knife; the knife
        if any(self.discourse.titled(term) for term in terms):
            return False
        if any(
            lit.object in LISTS["absolute"] for c in sentence.template for lit in (c.head, *c.body)
        ):
            return False  # is hers
        verbs = {lit.relation for c in sentence.template for lit in (c.head, *c.body)}
        if any(verb.endswith(" to") and verb_base(verb.split()[0]) in _WANTING for verb in verbs):
            return False  # wants to leave
        words = {word for term in terms if not term[:1].isupper() for word in term.split()[1:]}
        if words & (LISTS["idle"] | LISTS["closed"] | LISTS["adverbs"]):
            return False  # the piano very well
        made = any(verb_base(verb) in LISTS["resultative"] for verb in verbs)
        last = (term.split()[-1] for term in terms if made and " " in term and term.islower())
        uses = [listed(word) for word in last if is_listed(word)]
        if any(u.get("ADJ", ("", 9))[1] < u.get("N", u.get("NS", ("", 9)))[1] for u in uses):
            return False  # paints the door green
        before = {word for term in terms for word in term.split()[:-1] if term.islower()}
        if sentence.trees and any(ADJECTIVE in classes(word) for word in before):
            return False  # the old bicycle is old
        try:
            sentence.rules = [rule_of(clause, self.discourse) for clause in sentence.template]
        except Refusal:
            return False
        said = [t for r in sentence.rules for t in (r.head.subj, r.head.obj) if isinstance(t, Ind)]
        sentence.refs = [Ref(t, "", False, person_of(t, t.key), subject=True) for t in said[:2]]
        return True

    def _read(self, sentence: Sentence) -> None:
        """By the cheapest trees: what the first says, and what the others say if it differs."""
        readings: dict[Any, tuple[list[Rule], Any, Meaning]] = {}
        reason = ""
        for tree, cost in sentence.trees:
            if cost > sentence.trees[0][1]:
                break
            try:
                tree = filled_in(tree, self.discourse.things)
                for formula, meaning in interpretations(tree, self.discourse):
                    rules = rules_of(formula, meaning.unrestricted)
                    rules += rules_of(both(*meaning.titles))
                    key = same_as(rules), *opens_of(formula)
                    readings.setdefault(key, (rules, formula, meaning))
            except Unsayable as refusal:
                readings, reason = {}, str(refusal)
                break
            except Refusal as refusal:
                reason = reason or str(refusal)
        sentence.reason = "" if readings else reason or "no reading"
        if readings:
            (sentence.rules, formula, meaning), *others = readings.values()
            sentence.others = [rules for rules, *_ in others]
            sentence.refs, sentence.open = meaning.scope, list(opens_of(formula))
            sentence.open += [pred for _, other, _ in others for pred in opens_of(other)]
            sentence.exempt = list(exempts_of(formula))
            sentence.cases = cases_of(formula, meaning.unrestricted)
            sentence.refuted = refuted_by(formula)
            self.discourse.last_vp = meaning.last_vp
            self.discourse.last_condition = meaning.last_condition

    def _refuse_circles(self) -> None:
        """Every manager has a manager: of whom there would be no end."""
        while found := circle_of([[*making(s.rules)] for s in self.sentences]):
            at, circle = found
            self.sentences[at].rules, self.sentences[at].others = [], []
            self.sentences[at].reason = f"it would never end: {' → '.join(circle)}"

    def clauses(self, asked: Asked | None = None) -> list[tuple[Clause, ...]]:
        """What each sentence says, and what it says in the words of the others and the question."""
        exempt = {rule for sentence in self.sentences for rule in sentence.exempt}
        said = ([rule for rule in rules if rule not in exempt] for rules in self.closed(asked))
        return [tuple(dict.fromkeys(map(clause_of, rules))) for rules in said]

    def reading(self, i: int) -> Reading:
        """How one sentence was read."""
        sentence = self.sentences[i]
        if sentence.remark:
            return Reading(sentence.text, SentenceKind.REMARK)
        if sentence.reason:
            return Reading(sentence.text, SentenceKind.UNKNOWN, reason=sentence.reason, exact=False)
        made = tuple(dict.fromkeys(map(clause_of, sentence.rules)))
        others = tuple(tuple(map(clause_of, rules)) for rules in sentence.others)
        kind = SentenceKind.FACT if all(c.is_fact for c in made) else SentenceKind.RULE
        return Reading(sentence.text, kind, made, others=others, exact=bool(sentence.template))


def names_of(text: str) -> frozenset[str]:
    return tokens.names_in([tokens.split(text)])
