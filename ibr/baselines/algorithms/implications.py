"""ProofWriter's iterative mode without its network: all that a theory implies, one step at a time.

A step is given the sentences so far and answers with one new sentence and its one-step proof, or
`none`. `Enumeration` appends what it gets until `none`, looks the question up among the sentences
(the question itself: true; with "not" added or removed: false; else closed world, no proof), and
splices the one-step proofs. `Teacher` is the perfect step, and the source of training targets: one
random order of the implications in which each comes after those that its proof uses. What rests on
negation as failure comes after everything that could overturn it (the authors do not say).

The authors stop at `none` only. Here a repeated sentence stops, too, and is counted; so does text
that is no step, and a theory that has grown too large.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ibr.baselines.algorithms.linear_proof import BREAK, NONE, Malformed, read_proof, write_proof
from ibr.baselines.algorithms.spelling import NOT, spell, without_not, words_of
from ibr.inputs.model_words import KnownWords
from ibr.logic.clause import Literal, Sign
from ibr.logic.solving.chaining import Instance, Rule
from ibr.logic.solving.solver import Solver
from ibr.logic.solving.strata import layers, predicate_of
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Theory

MAX_SENTENCES: Final = 100  # of a theory with what it implies
Step = Callable[[Sequence[str]], Sequence[str]]  # sentences so far → tokens


class Implication(NamedTuple):
    literal: Literal
    instance: Instance


class Looked(NamedTuple):
    """What an enumeration says of a question; no proof: nothing of the kind was implied."""

    answer: bool
    tree: Tree | None


def implications(solver: Solver, rng: random.Random | None = None) -> list[Implication]:
    """All that is implied and not stated, in a (random) order that can be followed."""
    layer_of = _layers(solver)
    known = {lit for lit, ways in solver.instances.items() if any(not w.body for w in ways)}
    pending = [lit for lit in solver.instances if lit not in known]
    order: list[Implication] = []
    level = 0
    while pending:
        ready = [
            Implication(literal, instance)
            for literal in pending
            for instance in solver.instances[literal]
            if layer_of[instance.sentence] <= level and known.issuperset(instance.premises)
        ]
        if not ready:
            level += 1
            continue
        chosen = rng.choice(ready) if rng else ready[0]
        order.append(chosen)
        known.add(chosen.literal)
        pending.remove(chosen.literal)
    return order


def _layers(solver: Solver) -> dict[int, int]:
    """By sentence: in which layer of negation its last clause runs."""
    rules = [Rule(*pair) for pair in solver.program if not pair[1].is_fact]
    found: dict[int, int] = {}
    for level, layer in enumerate(layers(rules, predicate_of(rules))):
        found.update((rule.sentence, level) for rule in (*layer.plain, *layer.tangled))
    return found


class Teacher:
    """The targets of one theory, in one order: step k is asked with k implications appended."""

    def __init__(self, solver: Solver, known: KnownWords, rng: random.Random | None = None) -> None:
        self._order, self._known = implications(solver, rng), known
        size = len(solver.program.clauses)
        self._place = {  # of each literal, the sentence that says it
            **{
                lit: i.sentence
                for lit, ways in solver.instances.items()
                for i in ways
                if not i.body
            },
            **{step.literal: size + k for k, step in enumerate(self._order)},
        }

    def __len__(self) -> int:
        return len(self._order)

    def appended(self, count: int) -> list[str]:
        return [spell(step.literal, self._known) for step in self._order[:count]]

    def target(self, count: int) -> list[str]:
        """Tokens: "tom calm ; # sent3 @int1 & sent4 naf1"."""
        if count >= len(self._order):
            return [NONE]
        literal, (rule, body) = self._order[count]
        leaves = (NAF if lit.sign is Sign.NAF else self._place[lit] for lit in body)
        proof = Proof.of(Tree(rule, tuple(map(Tree, leaves))))
        return [*spell(literal, self._known).split(), BREAK, *write_proof(proof)]


class Enumeration:
    """All sentences that a step finds for one theory, with their proofs; serves every question."""

    def __init__(self, theory: Theory, step: Step, known: KnownWords) -> None:
        self._known = known
        self.sentences = [sentence.text for sentence in theory]
        self.steps = 0
        self.malformed = self.repeated = False
        self._size = len(theory)
        self._trees: dict[int, Tree] = {}
        self._places = {tuple(words_of(text, known)): i for i, text in enumerate(self.sentences)}
        while len(self.sentences) < MAX_SENTENCES and self._grow(step):
            pass

    def _grow(self, step: Step) -> bool:
        """Append one more sentence; False when it was the last."""
        tokens = list(step(self.sentences))
        self.steps += 1
        if tokens == [NONE]:
            return False
        try:
            words, tree = self._parse(tokens)
        except (Malformed, ValueError):
            self.malformed = True
            return False
        if words in self._places:
            self.repeated = True
            return False
        place = len(self.sentences)
        self._places[words], self._trees[place] = place, tree
        self.sentences.append(" ".join(words))
        return True

    def _parse(self, tokens: list[str]) -> tuple[tuple[str, ...], Tree]:
        end = tokens.index(BREAK)
        tree = read_proof(tokens[end + 1 :], len(self.sentences)).root
        if not end or tree is None or tree.node >= self._size:
            raise Malformed("no sentence, no proof, or no rule")
        if any(premise.premises for premise in tree.premises):
            raise Malformed("more than one step")
        return tuple(tokens[:end]), tree

    def look_up(self, question: str) -> Looked:
        words = tuple(words_of(question, self._known))
        if words in self._places:
            return Looked(True, self._spliced(self._places[words]))
        for other, place in self._places.items():
            opposite = (NOT in other) is not (NOT in words)
            if opposite and without_not(other) == without_not(words):
                return Looked(False, self._spliced(place))
        return Looked(NOT in words, None)

    def _spliced(self, place: int) -> Tree:
        if place not in self._trees:
            return Tree(place)
        tree = self._trees[place]
        return Tree(tree.node, tuple(self._spliced(p.node) for p in tree.premises))
