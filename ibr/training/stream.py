"""The data of a run: each batch is a function of the seed and its number alone.

So every process makes the same batch, and a resumed run continues with the right one. Codes of
words, order of sentences and order of proofs are drawn anew each time that an example is seen.
"""

import random
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, Final, TypeVar

import torch
from torch.utils.data import DataLoader

from ibr.data.formats.example import Example, by_theory
from ibr.data.formats.sources import Reader
from ibr.data.making.generator import generate
from ibr.data.making.phrasebook import Phrasebook
from ibr.data.making.questions import sample_paraphrased
from ibr.data.making.shape import GenerateError
from ibr.data.making.stitching import Pool
from ibr.errors import IbrError
from ibr.inputs.model_words import ModelWords, default_words
from ibr.logic.clause import Program
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Theory
from ibr.training.own_data import Completion, DataReport
from ibr.training.settings import DataPart, TrainConfig
from ibr.training.systems import LabelledBatch, Labeller, labeller_of

Group = list[Example]
T = TypeVar("T")
DEV_SEED: Final = 1_000_003  # added to the seed: theories that training never sees
_ATTEMPTS: Final = 20
_AHEAD: Final = 8  # batches that each worker makes in advance


@dataclass(frozen=True)
class Stream:
    """Batch s has theories s·T to s·T + T - 1; process `rank` of `world` takes every world-th.

    With a window of W batches, the theories of W batches in a row are sorted by size, so that
    theories of one size come together.
    """

    config: TrainConfig
    rank: int = 0
    world: int = 1
    words: ModelWords = field(default_factory=default_words)

    def __getitem__(self, step: int) -> LabelledBatch | IbrError:
        """The batch, for a DataLoader: an error is returned, for the main process to raise."""
        try:
            return self.batch(step)
        except Exception as error:
            return IbrError(f"making data: {type(error).__name__}: {error}")

    def batch(self, step: int) -> LabelledBatch:
        rng = random.Random(f"seen {self.config.seed} {step} {self.rank}")
        groups = self.groups(step)
        if self.config.shuffle_sentences:
            groups = [reorder(group, rng) for group in groups]
        return labelled(self.label, groups, rng)

    @cached_property
    def label(self) -> Labeller:
        return labeller_of(self.config.model, self.words)

    def groups(self, step: int) -> list[Group]:
        window, index = divmod(step, self.config.window)
        return self._window(window)[index][self.rank :: self.world]

    @lru_cache(maxsize=1)  # noqa: B019 (a process has one stream)
    def _window(self, window: int) -> list[list[Group]]:
        """The theories of the window's batches."""
        steps, theories = self.config.window, self.config.theories
        first = window * steps * theories
        groups = [self.group(first + k) for k in range(steps * theories)]
        if steps > 1:
            groups.sort(key=lambda group: sum(len(s.text) for s in group[0].theory))
        parts = [groups[k : k + theories] for k in range(0, len(groups), theories)]
        random.Random(f"window {self.config.seed} {window}").shuffle(parts)
        return parts

    def group(self, place: int) -> Group:
        """The questions at a place of the endless stream."""
        share = self._file_share
        if int((place + 1) * share) > int(place * share):
            epoch, index = divmod(int(place * share), len(self.pieces))
            return self.pieces[self._order(epoch)[index]]
        rng = random.Random(f"mixture {self.config.seed} {place}")
        endless = [part for part in self.config.data if part.is_endless]
        part = rng.choices(endless, [part.weight for part in endless])[0]
        group = _made(part, self.config.seed, place % part.theories if part.theories else place)
        return rng.sample(group, min(len(group), self.config.questions))

    @property
    def _files(self) -> list[DataPart]:
        return [part for part in self.config.data if not part.is_endless]

    @property
    def _file_share(self) -> float:
        """1.0 exactly if there are only files."""
        weights = [sum(p.weight for p in parts) for parts in (self._files, self.config.data)]
        return weights[0] / weights[1]

    @cached_property
    def pieces(self) -> list[Group]:
        """All files, in pieces: questions about one theory."""
        pieces = [
            group[k : k + self.config.questions]
            for part in self._files
            for group in by_theory(self.completed(read(part)))
            for k in range(0, len(group), self.config.questions)
        ]
        if not pieces:
            files, why = ", ".join(str(p.path) for p in self._files), self.completed.report.lines()
            raise IbrError("; ".join([f"{files}: nothing to learn from", *why]))
        return pieces

    @cached_property
    def completed(self) -> Completion:
        return Completion(self.config.model, self.words)

    def report(self) -> DataReport:
        """What the questions of all files can be used for; reads them."""
        if self._files:
            len(self.pieces)
        return self.completed.report

    @lru_cache(maxsize=1)  # noqa: B019
    def _order(self, epoch: int) -> Sequence[int]:
        """Of the pieces: each comes once an epoch."""
        order = list(range(len(self.pieces)))
        random.Random(f"epoch {self.config.seed} {epoch}").shuffle(order)
        return order

    def steps_of(self, epochs: float) -> int:
        """The number of steps that read the files so often."""
        theories = epochs * len(self.pieces) / self._file_share
        return max(1, round(theories / (self.config.theories * self.config.accumulation)))


def batches(stream: Stream, first: int) -> Iterator[LabelledBatch]:
    """The batches number `first`, `first` + 1, … without end, made by the config's workers."""
    workers = stream.config.workers
    # The loader draws a seed: from a generator of its own, or a resumed run would draw once more.
    options: dict[str, Any] = {"batch_size": None, "sampler": count(first)}
    options |= {"generator": torch.Generator()}
    if workers:
        # Not forked: a fork of a process with threads (torch has some) may hang.
        options |= {"num_workers": workers, "multiprocessing_context": "spawn"}
        options |= {"prefetch_factor": _AHEAD, "worker_init_fn": _init_worker}
    for made in DataLoader(stream, **options):  # type: ignore[arg-type]
        if isinstance(made, IbrError):
            raise made
        yield made


def _init_worker(worker: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process is interrupted, and ends it


def read(part: DataPart) -> Iterator[Example]:
    """The labelled questions of a file."""
    reader = Reader(part.split, Path(part.mappings) if part.mappings else None)
    return islice(reader.examples(Path(part.path or "")), part.limit)


def dev_examples(config: TrainConfig) -> list[Example]:
    """The held-out questions of a run."""
    if config.dev.path is not None:
        return list(islice(read(config.dev), config.dev_questions))
    groups = (_generated(config.dev, config.seed + DEV_SEED, place) for place in count())
    return list(islice(chain.from_iterable(groups), config.dev_questions))


def labelled(label: Labeller, groups: Sequence[Group], rng: random.Random) -> LabelledBatch:
    """A batch of these examples without those whose proof cannot be bound to their logic."""
    try:
        return label(groups, rng)
    except ValueError:
        kept = [[e for e in group if _is_usable(label, e)] for group in groups]
        if not any(kept):
            raise
        batch = label([group for group in kept if group], rng)
        return replace(batch, left_out=sum(map(len, groups)) - len(batch))


def _is_usable(label: Labeller, example: Example) -> bool:
    try:
        label([[example]], random.Random(0))
    except ValueError:
        return False
    return True


def reorder(group: Sequence[Example], rng: random.Random) -> list[Example]:
    """Questions about one theory with its sentences in another order; labels move along."""
    theory, program = group[0].theory, group[0].program
    order = list(range(len(theory)))
    rng.shuffle(order)
    place = {old: new for new, old in enumerate(order)} | {NAF: NAF}
    theory = Theory(_taken(theory.sentences, order), _taken(theory.numbers, order))
    if program is not None:
        unreadable = sorted(place[old] for old in program.unreadable)
        parts = (_taken(program.clauses, order), _taken(program.numbers, order))
        program = Program(*parts, tuple(unreadable))

    def moved(tree: Tree) -> Tree:
        return Tree(place[tree.node], tuple(map(moved, tree.premises)))

    return [
        replace(
            example,
            problem=replace(example.problem, theory=theory),
            program=program,
            proofs=example.proofs
            and tuple(Proof(p.strategy, p.root and moved(p.root)) for p in example.proofs[:1]),
            source=None,  # its components are in the old order
        )
        for example in group
    ]


def _taken(parts: Sequence[T], order: Sequence[int]) -> tuple[T, ...]:
    return tuple(parts[index] for index in order)


def _made(part: DataPart, seed: int, place: int) -> Group:
    if not part.stitched and not part.paraphrased:
        return _generated(part, seed, place)
    rng = random.Random(f"stitched {seed} {place}")
    path = Path(part.path or "")
    while True:
        if part.paraphrased:
            theory = _paraphrased(Phrasebook, path, part.split).write(place, part.depth, rng)
        else:
            theory = _paraphrased(Pool, path, part.split).stitch(place, rng)
        if group := sample_paraphrased(theory, rng, part.depth, 1):
            return group


@lru_cache(maxsize=4)
def _paraphrased(kind: type[T], path: Path, split: str | None) -> T:
    """A `Pool` or `Phrasebook` of ParaRules' file."""
    return kind(Reader(split).paraphrased(path))  # type: ignore[call-arg]


def _generated(part: DataPart, seed: int, place: int) -> Group:
    """Theory `place`; with another seed if the first ones give no theory."""
    for attempt in range(_ATTEMPTS):
        try:
            (group,) = generate(part.recipe, seed + attempt * 7_919, 1, first=place)
        except GenerateError:
            if attempt + 1 == _ATTEMPTS:
                raise
        else:
            if group:
                return group
    raise GenerateError(f"depth {part.depth}, {part.preset}: no theory has questions")
