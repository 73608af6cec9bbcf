"""EVR (Liang, Bethard, Surdeanu 2021): `algorithms.evr_control` over three text generators.

Modules for control, facts and rules, each an encoder and a decoder of its own (`share_modules`: one
for all, the authors' EVR2). They learn the one-step calls of `algorithms.evr_calls`: of each
question's 15 to 20 `pairs` are drawn, for each module in turn (two thirds are calls of control,
which are learned first), one in twenty about "something". Depth comes from
recursion alone, so shallow theories should do for training. At test the calls of a question come
one at a time.

The authors use three T5-small and print more words; buffers hold 5 facts and 3 rules ("EVR1") or 20
and 10 ("EVR3"). Its encoders get no hints: a buffer is no theory. Unfair: a module replaced by a
rule, a memo or a check for loops, all buffers in one call, timing modules that write nonsense.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Final

from torch import nn

from ibr.baselines import system
from ibr.baselines.algorithms import evr_calls as calls
from ibr.baselines.algorithms.evr_calls import Buffers, Call, Oracle
from ibr.baselines.algorithms.evr_control import Control, split
from ibr.baselines.algorithms.side_by_side import side_by_side
from ibr.baselines.algorithms.spelling import words_of
from ibr.baselines.seq2seq import Seq2Seq
from ibr.baselines.slots import OutputWords, TextBatch, TextReader, extended
from ibr.baselines.system import Answered, Baseline, Labeller, SystemBatch, SystemConfig
from ibr.data.formats.example import Example
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import KnownWords, ModelWords
from ibr.proof import NAF, Graph, Proof
from ibr.theory import Kind, Question, Sentence, Strategy, Theory
from ibr.training.labels import Groups

MODULES: Final = (calls.RULES, calls.FACTS, calls.CONTROL)  # the hardest task first
MAX_NUMBER: Final = 20  # of buffers of a kind
_VARIABLE: Final = 0.05  # of the training pairs ask about "something"


@dataclass(frozen=True)
class CallBatch(SystemBatch):
    rules: TextBatch | None
    facts: TextBatch | None
    control: TextBatch | None


class Evr(Baseline):
    name = "evr"
    repeats_are_shared = True  # the same calls of questions about a theory; not where it is timed

    def build(self, weights: bool) -> None:
        config = self.config
        self.out = OutputWords(self.words)
        self.reader = TextReader(config, self.words)
        names = MODULES[:1] if config.share_modules else MODULES
        self.networks = nn.ModuleDict(
            {name: Seq2Seq(config, len(self.out), weights) for name in names}
        )

    @classmethod
    def new_words(cls) -> ModelWords:
        return extended([*calls.OPERATORS, *map(str, range(MAX_NUMBER + 1))])

    @classmethod
    def labeller(cls, config: SystemConfig, words: ModelWords) -> Labeller:
        reader, out = TextReader(config, words), OutputWords(words)

        def label(groups: Groups, rng: random.Random) -> CallBatch:
            found: dict[str, list[tuple[Call, str]]] = defaultdict(list)
            for example in (example for group in groups for example in group):
                pairs = list(training_pairs(example, config, words.known, rng))
                for place in range(config.pairs):
                    module = MODULES[place % len(MODULES)]
                    own = [pair for pair in pairs if pair[0].module == module]
                    found[module].append(rng.choice(own))
            batches = {
                name: reader.labelled(
                    [asked_of_call(call) for call, _ in pairs],
                    [labels_of_call(call) for call, _ in pairs],
                    [answer.split() for _, answer in pairs], out, rng,
                )
                for name, pairs in found.items()
            }  # fmt: skip
            return CallBatch(sum(map(len, groups)), *map(batches.get, MODULES))

        return label

    def loss(self, batch: CallBatch) -> SimpleNamespace:
        parts = {
            name: self._network(name).loss(part)[0]
            for name in MODULES
            if (part := getattr(batch, name)) is not None
        }
        return SimpleNamespace(total=sum(parts.values()), **parts)

    def _network(self, module: str) -> Seq2Seq:
        network = self.networks[calls.CONTROL if self.config.share_modules else module]
        assert isinstance(network, Seq2Seq)
        return network

    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        """Questions side by side, unless repeats are not shared: then every call is made anew."""
        pairs = [(item.theory, question) for item in asked for question in item.questions]
        if not self.repeats_are_shared:
            return [self._answered(*pair, self.ask) for pair in pairs]
        return side_by_side([partial(self._answered, *pair) for pair in pairs], self.texts)

    def _answered(self, theory: Theory, question: Question, ask: Callable[[Call], str]) -> Answered:
        buffers = Buffers.of(theory, self.config.fact_buffer, self.config.rule_buffer)
        largest = max(len(buffers.facts), len(buffers.rules))
        if largest > MAX_NUMBER:
            raise system.TooManySentences(f"{largest} buffers: there are numbers for {MAX_NUMBER}")
        control = Control(buffers, ask, self.config.max_calls)
        found = control.prove(" ".join(words_of(question.text, self.words.known)))
        if control.malformed or control.capped:
            return Answered(found.holds, None, Strategy.FAIL_PROOF)
        if found.tree is None or found.tree.node == NAF:
            return Answered(found.holds, Graph(), Strategy.FAIL_PROOF)
        return Answered(found.holds, Proof.of(found.tree).graph, Strategy.PROOF)

    def ask(self, call: Call, forced: str | None = None) -> str:
        """One call of a module; `forced` is the text that it has to write."""
        return self.texts([call], None if forced is None else [forced])[0]

    def texts(self, calls: Sequence[Call], forced: Sequence[str] | None = None) -> list[str]:
        """The answers to these calls; those of a module are one batch."""
        found: dict[int, str] = {}
        for module in MODULES:
            places = [place for place, call in enumerate(calls) if call.module == module]
            if places:
                own = None if forced is None else [forced[place] for place in places]
                found |= zip(places, self._written([calls[p] for p in places], own), strict=True)
        return [found[place] for place in range(len(calls))]

    def _written(self, calls: Sequence[Call], forced: Sequence[str] | None) -> list[str]:
        asked = [asked_of_call(call) for call in calls]
        copied = self.reader.copied(asked, [labels_of_call(call) for call in calls])
        batch = self.reader.read(asked, copied).to(self.device)
        n = batch.read.is_rule.shape[1]
        asks = zip(forced or (), copied, strict=False)
        wanted = [self.out.encode(text.split(), words, n) for text, words in asks] or None
        written = self._network(calls[0].module).write(batch, self.meter, wanted)
        pairs = zip(written, copied, strict=True)
        return [" ".join(self.out.decode(ids, words, n)) for ids, words in pairs]


def asked_of_call(call: Call) -> Asked:
    """What the encoder reads: the sentences of the buffer; for control, the goal."""
    kind = Kind.RULE if call.module == calls.RULES else Kind.FACT
    sentences = [Sentence(item.text, kind) for item in call.items]
    goal = Sentence(call.text.partition(" : ")[2], Kind.REMARK)
    return Asked(Theory(tuple(sentences) or (goal,)), [Question(call.text)])


def labels_of_call(call: Call) -> dict[str, int]:
    """The number by which a module cites each sentence of its buffer."""
    return {str(item.number): place for place, item in enumerate(call.items)}


def training_pairs(
    example: Example, config: SystemConfig, known: KnownWords, rng: random.Random
) -> Iterator[tuple[Call, str]]:
    """Every call about the question's own statement, in all buffers, with its perfect answer."""
    if example.program is None:
        raise ValueError(f"{example.id}: no logic to learn from")
    literal = example.statement
    if rng.random() < _VARIABLE:
        literal = literal._replace(subject="?x")
    oracle = Oracle(example.program, known)
    buffers = Buffers.of(example.theory, config.fact_buffer, config.rule_buffer)

    def pair(module: str, text: str, items: tuple[calls.Item, ...] = ()) -> tuple[Call, str]:
        call = Call(module, buffers.header + text, items)
        return call, oracle.answer(call)

    goals = [f"{calls.PROVE} {oracle.statement(literal)}"]
    for goal in goals:  # grows as we go
        yield (asked := pair(calls.CONTROL, goal))
        if asked[1] == calls.SUBGOALS:
            yield (joined := pair(calls.CONTROL, f"{goal} ; {calls.SUBGOALS}"))
            if not goal.startswith(calls.CITE):
                goals += [g for part in split(joined[1], calls.OR) for g in split(part, calls.AND)]
        else:
            _, kind, number = asked[1].split()
            items = buffers.of_kind(kind)[int(number) - 1]
            yield (ways := pair(kind, f"{goal} ; {calls.APPLY}", items))
            goals += [ways[1]] if ways[1].startswith(calls.CITE) else []
