"""A rulebook read as one: lexicon, trees, discourse, rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ibr.logic.clause import Clause
from ibr.logic.english.given import classes_by_template, rule_of
from ibr.logic.english.grammar.chart import OutOfBudget
from ibr.logic.english.grammar.sentences import Grammar
from ibr.logic.english.lexis import closed
from ibr.logic.english.lexis import splitting as tokens
from ibr.logic.english.lexis.forms import is_listed
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.meaning.discourse import (
    Discourse,
    NeedVariable,
    Ref,
    Refusal,
    describe,
    person_of,
)
from ibr.logic.english.meaning.horn import opens_of, rules_of
from ibr.logic.english.meaning.interpret import Meaning
from ibr.logic.english.meaning.terms import Ind, Kind, Owned, Pred, Rule
from ibr.logic.english.questions import Questions
from ibr.logic.english.remark import is_about_itself, is_heading
from ibr.logic.english.sentence import Asked, Sentence, clause_of, distinct, individuals
from ibr.logic.english.wording.implied import witness_of
from ibr.logic.reading import Reading
from ibr.logic.surface import templates
from ibr.theory import Kind as SentenceKind

SPARE = 0  # how much more than the cheapest tree one may cost that is tried next


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
        self.lexicon = Lexicon(raws)
        self.sentences = [Sentence(text, remark=i in remarks) for i, text in enumerate(texts)]
        for text in texts:
            for word, cls in classes_by_template(text):
                self.lexicon.teach(word, cls)
        for sentence, raw in zip(self.sentences, raws, strict=True):
            sentence.remark = sentence.remark or is_about_itself(sentence.text)
            if not sentence.remark:
                self._parse(sentence, raw)
        self.discourse = Discourse()
        self._interpret()
        roles = self._roles()
        if roles:
            aliases = self._aliases()
            self.discourse = Discourse(roles=roles, aliases=aliases)
            self._interpret()
        self._point_back()

    def _parse(self, sentence: Sentence, raw: list[Any]) -> None:
        if sentence.text.rstrip().endswith("?"):
            sentence.reason = "it is a question"
            return
        template = templates.parse(sentence.text)
        sentence.template = template.clauses if template else ()
        grammar = Grammar(raw, self.lexicon)
        known = self._spoken_of_beside(sentence)
        sentence.reason = "" if template else grammar.refused()
        if sentence.reason:
            sentence.remark = is_heading(sentence.text, grammar, known)
            return
        try:
            found = sorted(grammar.statement(), key=lambda f: f[2])
        except (OutOfBudget, RecursionError):
            sentence.reason = "it is too long or too tangled"
            return
        sentence.trees = [(tree, cost) for _, tree, cost in found]
        open_end = not sentence.text.rstrip().endswith((".", "!", ":", ";", '"', ")", "”"))
        if found and open_end and is_heading(sentence.text, grammar, known):
            sentence.trees, sentence.template = [], ()
            sentence.remark = found[0][2] > 1
            sentence.reason = "it may be a heading, or a sentence without its full stop"
        if found or template:
            return
        if is_heading(sentence.text, grammar, known):
            sentence.remark = True
            return
        if grammar.is_order():
            sentence.reason = "it tells someone to do something: say who must"
            return
        at = grammar.furthest
        word = grammar.tokens[at].text if at < grammar.n else ""
        sentence.reason = f'not a sentence form that is known here (from "{word}" on)'

    def _spoken_of_beside(self, sentence: Sentence) -> frozenset[str]:
        """The names that other sentences use, too."""
        others = " ".join(s.text for s in self.sentences if s is not sentence)
        return frozenset(n for n in self.names if n in others and not is_listed(n.lower()))

    def _interpret(self) -> None:
        for sentence in self.sentences:
            sentence.rules, sentence.others = [], []
            if sentence.trees or sentence.template:
                self._read(sentence)
            if sentence.rules:
                self._remember(sentence)

    def _read_template(self, sentence: Sentence) -> bool:
        """Whether its clauses say all: nobody in it is known otherwise."""
        terms = {str(t) for c in sentence.template for t in c.entities}
        known = self.discourse.members.keys() | self.discourse.witnesses.keys()
        if any(
            t in known or t in self.discourse.aliases or f"the {t}" in self.discourse.roles
            for t in terms
        ):
            return False
        words = {word for term in terms if not term[:1].isupper() for word in term.split()[1:]}
        if words & (closed.IDLE | closed.CLOSED | LISTS["adverbs"]):
            return False  # the piano very well
        try:
            rules = [rule_of(clause, self.discourse) for clause in sentence.template]
        except Refusal:
            return False
        sentence.rules, sentence.reason = rules, ""
        sentence.refs = [
            Ref(term, "", False, person_of(term, term.key), subject=True)
            for rule in rules for term in (rule.head.subj, rule.head.obj) if isinstance(term, Ind)
        ][:2]  # fmt: skip
        return True

    def _read(self, sentence: Sentence) -> None:
        if sentence.template and self._read_template(sentence):
            return
        if not sentence.trees:
            sentence.reason = sentence.reason or "it can be read only by itself"
            return
        least = sentence.trees[0][1]
        reason = ""
        for limit in (least, least + SPARE):
            readings: list[tuple[list[Rule], list[Ref]]] = []
            for tree, cost in sentence.trees:
                if cost > limit:
                    break
                try:
                    rules, refs = self._rules(tree)
                    for rule in rules:
                        clause_of(rule)
                    if rules not in [r for r, _ in readings]:
                        readings.append((rules, refs))
                except Refusal as refusal:
                    reason = reason or str(refusal)
            if readings:
                readings = distinct(readings)
                sentence.rules, sentence.refs = readings[0]
                sentence.open = self._open
                sentence.others = [r for r, _ in readings[1:]]
                sentence.reason = ""
                return
        sentence.reason = reason or "no reading"

    def _rules(self, tree: Any) -> tuple[list[Rule], list[Ref]]:
        forced: frozenset[int] = frozenset()
        for _ in range(6):
            meaning = Meaning(self.discourse, forced)
            try:
                formula = meaning.sentence(tree)
                self._open = list(opens_of(formula))
                return rules_of(formula, meaning.unrestricted), meaning.scope
            except NeedVariable as need:
                if need.at in forced:
                    raise Refusal("who is meant?") from None
                forced |= {need.at}
        raise Refusal("who is meant?")

    def _remember(self, sentence: Sentence) -> None:
        """Who was mentioned, for the sentences that follow."""
        before = [r for r in sentence.refs if isinstance(r.term, (Ind, Owned))]
        for rule in sentence.rules:
            if rule.body or rule.negative:
                continue
            pred = rule.head
            if (
                pred.form == "noun"
                and isinstance(pred.subj, Ind)
                and not pred.tense
                and not pred.mode
            ):
                members = self.discourse.members.setdefault(pred.lemma, [])
                if pred.subj not in members:
                    members.append(pred.subj)
                before = [_classed(r, pred) for r in before]
            if pred.form == "verb" and isinstance(pred.obj, Kind) and not pred.obj.plural:
                witness = witness_of(pred, pred.obj)
                if witness is None:
                    continue
                kind = pred.obj
                if isinstance(witness, Owned):
                    self.discourse.witnesses.setdefault(kind.noun, []).append(witness)
                before.append(Ref(witness, kind.noun, False, person_of(None, kind.noun)))
        if before:
            self.discourse.before = before

    def _point_back(self) -> None:
        """Raj travels with a cello. The cello is fragile. That is the same one."""
        facts = [
            (i, k, kind)
            for i, s in enumerate(self.sentences) for k, r in enumerate(s.rules)
            if not r.body and not r.negative and r.head.lemma not in ("have", "own", "be")
            for kind in r.head.terms
            if isinstance(kind, Kind) and not kind.mass and not kind.plural
        ]  # fmt: skip
        for i, k, kind in facts:
            term = Ind(describe(kind))
            later = any(
                term in set(individuals(r.head)) for s in self.sentences[i + 1 :] for r in s.rules
            )
            if (
                later
                and [f[2] for f in facts].count(kind) == 1
                and term.key in self.discourse.described
            ):
                rule = self.sentences[i].rules[k]
                head = rule.head.exchanged(kind, term)
                self.sentences[i].rules[k] = rule._replace(head=head)

    def _roles(self) -> set[str]:
        """Descriptions that somebody is said to be."""
        return {
            rule.head.lemma
            for sentence in self.sentences for rule in sentence.rules
            if rule.head.form == "role" and not rule.negative and not rule.body
            and isinstance(rule.head.subj, Ind)
        }  # fmt: skip

    def _aliases(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for sentence in self.sentences:
            for rule in sentence.rules:
                head = rule.head
                if (
                    (
                        head.form == "role"
                        and not rule.negative
                        and not rule.body
                        and isinstance(head.subj, Ind)
                    )
                    and head.lemma != head.subj.key
                    and head.lemma not in found
                ):
                    if head.subj.key in found:
                        continue
                    found[head.lemma] = head.subj
        return found

    def clauses(self, asked: Asked | None = None) -> list[tuple[Clause, ...]]:
        """What each sentence says, and what it says in the words of the others and the question."""
        closed = self.closed(asked)
        return [tuple(dict.fromkeys(map(clause_of, rules))) for rules in closed]

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


def _classed(ref: Ref, pred: Pred) -> Ref:
    """Tom, now known to be a member"""
    if ref.term != pred.subj or ref.noun:
        return ref
    return ref._replace(noun=pred.lemma, person=person_of(None, pred.lemma) or ref.person)
