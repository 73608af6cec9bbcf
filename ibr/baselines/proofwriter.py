"""ProofWriter (Tafjord, Dalvi Mishra, Clark 2021): proofs as generated text, at once or by steps.

All-at-once writes the answer and the whole proof (`algorithms.linear_proof`); of what is not
provable it writes `none` (`fail_chain`: the failed rules, our variant). Iterative writes one new
implication with its one-step proof, again and again (`algorithms.implications`): there are as many
calls as the theory has implications, whatever is asked, and one enumeration serves all questions.

A sentence is cited as sent1, sent2 …, which is written by pointing at it (`slots`), so order tells
nothing. The authors fine-tune T5-11B. Text that is no proof is counted as malformed, never
repaired. Unfair: decoding constrained by a solver, deduplicating by a parser, a budget below the
closure, charging the iterative mode its whole enumeration for one question without the amortised
figure beside it.
Solver hints: all-at-once has them (its theories are whole), the iterative mode has none.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Final

from ibr.baselines.algorithms import linear_proof as notation
from ibr.baselines.algorithms.implications import Enumeration, Teacher
from ibr.baselines.algorithms.linear_proof import Malformed, derive, read_proof, write_derived
from ibr.baselines.algorithms.spelling import spell
from ibr.baselines.seq2seq import Seq2Seq
from ibr.baselines.slots import OutputWords, TextBatch, TextReader, extended
from ibr.baselines.system import Answered, Baseline, Labeller, SystemConfig, hint_loss
from ibr.data.formats.example import Example
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import KnownWords, ModelWords
from ibr.logic.solving.solver import Solver
from ibr.proof import Graph, Proof
from ibr.theory import Kind, Question, Sentence, Strategy, Theory
from ibr.training.labels import Groups, solver_of, with_hints

TRUE, FALSE, NEXT = "true", "false", "next"
_MOST: Final = 40  # numbered conclusions, and absences, of one proof
_NOTATION: Final = (
    notation.OPEN, notation.JOIN, notation.BREAK, notation.WITH, notation.IS,
    *(f"{notation.CONCLUSION}{k}" for k in range(1, _MOST + 1)),
    *(f"{notation.ABSENT}{k}" for k in range(1, _MOST + 1)),
)  # fmt: skip


class ProofWriterAll(Baseline):
    name = "proofwriter"

    def build(self, weights: bool) -> None:
        config = self.config
        self.out = OutputWords(self.words, _NOTATION)
        self.reader = TextReader(config, self.words)
        self.network = Seq2Seq(config, len(self.out), weights)

    @classmethod
    def new_words(cls) -> ModelWords:
        return extended([TRUE, FALSE, NEXT, notation.NONE])

    @classmethod
    def labeller(cls, config: SystemConfig, words: ModelWords) -> Labeller:
        reader, out = TextReader(config, words), OutputWords(words, _NOTATION)

        def make(groups: Groups, rng: random.Random) -> TextBatch:
            asked, labels, targets = [], [], []
            solvers = [solver_of(group[0]) for group in groups]
            for group, solver in zip(groups, solvers, strict=True):
                theory = group[0].theory
                asked.append(Asked(theory, [example.problem.question for example in group]))
                labels.append(cited(len(theory)))
                targets += [
                    written(example, solver, words.known, config.fail_chain) for example in group
                ]
            batch = reader.labelled(asked, labels, targets, out, rng)
            return replace(batch, read=with_hints(batch.read, groups, solvers))

        return make

    def loss(self, batch: TextBatch) -> SimpleNamespace:
        text, out = self.network.loss(batch)
        hints = hint_loss(out, batch.read, self.config.hint_weight)
        return SimpleNamespace(total=text + hints, text=text, hints=hints)

    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        sizes = [len(item.theory) for item in asked for _ in item.questions]
        return [read_answer(*pair) for pair in zip(self.texts_of(asked), sizes, strict=True)]

    def texts_of(
        self, asked: Sequence[Asked], forced: Sequence[str] | None = None
    ) -> list[list[str]]:
        """Of each question; `forced` is the text of a single one, which it has to write."""
        copied = self.reader.copied(asked, [cited(len(item.theory)) for item in asked])
        batch = self.reader.read(asked, copied).to(self.device)
        n = batch.read.is_rule.shape[1]
        wanted = None if forced is None else [self.out.encode(forced, copied[0], n)]
        pairs = zip(self.network.write(batch, self.meter, wanted), copied, strict=True)
        return [self.out.decode(*pair, n) for pair in pairs]


class ProofWriterIter(ProofWriterAll):
    name = "proofwriter-iter"

    @classmethod
    def labeller(cls, config: SystemConfig, words: ModelWords) -> Labeller:
        """`pairs` states of each theory: so many implications appended, the next one to write."""
        reader, out = TextReader(config, words), OutputWords(words, _NOTATION)

        def make(groups: Groups, rng: random.Random) -> TextBatch:
            asked, labels, targets = [], [], []
            for theory, solver in ((group[0].theory, solver_of(group[0])) for group in groups):
                teacher = Teacher(solver, words.known, rng)
                for _ in range(config.pairs):
                    count = rng.randint(0, len(teacher))
                    texts = [*(s.text for s in theory), *teacher.appended(count)]
                    asked.append(_next(theory, texts))
                    labels.append(cited(len(texts)))
                    targets.append(teacher.target(count))
            batch = reader.labelled(asked, labels, targets, out, rng)
            return replace(batch, questions=sum(map(len, groups)))

        return make

    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        found = []
        for item in asked:
            step = partial(self._step, item.theory)
            sentences = Enumeration(item.theory, step, self.words.known)
            for question in item.questions:
                answer, tree = sentences.look_up(question.text)
                if tree is not None:
                    found.append(Answered(answer, Proof.of(tree).graph, Strategy.PROOF))
                elif sentences.malformed:
                    found.append(Answered(answer, None, Strategy.FAIL_PROOF))
                else:
                    found.append(Answered(answer, Graph(), Strategy.FAIL_PROOF))
        return found

    def _step(self, theory: Theory, sentences: Sequence[str]) -> list[str]:
        (text,) = self.texts_of([_next(theory, sentences)])
        return text


def cited(sentences: int) -> dict[str, int]:
    """sent1 → sentence 0 …"""
    return {f"{notation.SENTENCE}{k + 1}": k for k in range(sentences)}


def _next(theory: Theory, texts: Sequence[str]) -> Asked:
    """The theory with what was found since."""
    more = (Sentence(text, Kind.FACT) for text in texts[len(theory) :])
    return Asked(Theory((*theory.sentences, *more)), [Question(NEXT)])


def written(
    example: Example, solver: Solver, known: KnownWords, fail_chain: bool = False
) -> list[str]:
    """The target of a question: "true ; # sent2 @int1 sent1 ; with @int1 : tom wise"."""
    question = example.statement
    answer = [TRUE if example.answer else FALSE, notation.BREAK]
    proved = solver.judge(question).proved
    if proved is None:
        chain = solver.failure(question.atom) if fail_chain else Proof.failure()
        return answer + notation.write_proof(chain)
    root = solver.proof(proved).root
    assert root is not None
    derived = derive(solver.instances, proved, root)
    return answer + write_derived(derived, lambda lit: spell(lit, known).split())


def read_answer(tokens: Sequence[str], sentences: int) -> Answered:
    """What is no answer is false; what is no proof is malformed."""
    answer = tokens[:1] == [TRUE]
    try:
        if tokens[:1] not in ([TRUE], [FALSE]) or tokens[1:2] != [notation.BREAK]:
            raise Malformed("no answer")
        proof = read_proof(tokens[2:], sentences)
    except Malformed:
        return Answered(answer, None, Strategy.FAIL_PROOF)
    return Answered(answer, proof.graph, proof.strategy)
