"""The data of a run: what each step sees, as a function of the seed and the step alone.

So whoever makes a batch, in whatever process, makes the same one, and a run that is continued goes
on where it was. Codes of words, order of sentences and order of proofs are drawn anew every time
that an example is seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from ibr.data.example import Example, by_theory
from ibr.data.generate import GenerateError, generate
from ibr.data.questions import sample_paraphrased
from ibr.data.stitching import Pool
from ibr.errors import IbrError
from ibr.model.batch import Asked, Batch
from ibr.model.encoders import Reader as TextReader
from ibr.model.encoders import reader_of
from ibr.model.gold import with_gold
from ibr.sources import Reader
from ibr.training.config import Ingredient, TrainConfig
from ibr.training.phrasebook import Phrasebook
from ibr.training.reorder import reorder

Group = list[Example]
DEV_SEED: Final = 1_000_003  # added to the seed: theories that training never sees
_ATTEMPTS: Final = 20


@dataclass(frozen=True)
class Stream:
    """Step s has theories s·T to s·T + T - 1; of several processes each takes every world-th.

    With a window of W steps, each W·T theories in a row are shared out among their steps so that
    theories of one size come together.
    """

    config: TrainConfig
    rank: int = 0
    world: int = 1

    def batch(self, step: int) -> Batch:
        rng = random.Random(f"seen {self.config.seed} {step} {self.rank}")
        groups = [reorder(group, rng) for group in self.groups(step)]
        return labelled(self.reader, groups, rng)

    @cached_property
    def reader(self) -> TextReader:
        return reader_of(self.config.model)

    def groups(self, step: int) -> list[Group]:
        window, index = divmod(step, self.config.window)
        return self._window(window)[index][self.rank :: self.world]

    def _window(self, window: int) -> list[list[Group]]:
        """The theories of the window's steps. The last one is kept: its steps follow each other."""
        kept: dict[int, list[list[Group]]] = self.__dict__.setdefault("_windows", {})
        if window not in kept:
            kept.clear()
            steps, theories = self.config.window, self.config.theories
            first = window * steps * theories
            groups = [self.group(first + k) for k in range(steps * theories)]
            if steps > 1:
                groups.sort(key=lambda group: sum(len(s.text) for s in group[0].theory))
            parts = [groups[k : k + theories] for k in range(0, len(groups), theories)]
            random.Random(f"window {self.config.seed} {window}").shuffle(parts)
            kept[window] = parts
        return kept[window]

    def group(self, place: int) -> Group:
        """The questions at a place of the endless stream."""
        files, share = self._files, self._file_share
        if files and int((place + 1) * share) > int(place * share):
            return self.library_at(int(place * share))
        rng = random.Random(f"mixture {self.config.seed} {place}")
        endless = [part for part in self.config.data if part.is_endless]
        part = rng.choices(endless, [part.weight for part in endless])[0]
        group = _made(part, self.config.seed, place)
        return rng.sample(group, min(len(group), self.config.questions))

    @property
    def _files(self) -> list[Ingredient]:
        return [part for part in self.config.data if not part.is_endless]

    @property
    def _file_share(self) -> float:
        """1.0 exactly if there are only files."""
        weights = [sum(p.weight for p in parts) for parts in (self._files, self.config.data)]
        return weights[0] / weights[1]

    @cached_property
    def library(self) -> list[Group]:
        """All files, in pieces of questions about one theory."""
        pieces = [
            group[k : k + self.config.questions]
            for part in self._files
            for group in by_theory(read(part))
            for k in range(0, len(group), self.config.questions)
        ]
        if not pieces:
            raise IbrError(f"{', '.join(str(p.path) for p in self._files)}: nothing to learn from")
        return pieces

    def library_at(self, place: int) -> Group:
        """Every piece once an epoch, in an order of the epoch's own."""
        epoch, index = divmod(place, len(self.library))
        return self.library[self._order(epoch)[index]]

    def _order(self, epoch: int) -> Sequence[int]:
        kept: dict[int, list[int]] = self.__dict__.setdefault("_orders", {})
        if epoch not in kept:
            kept.clear()
            order = list(range(len(self.library)))
            random.Random(f"epoch {self.config.seed} {epoch}").shuffle(order)
            kept[epoch] = order
        return kept[epoch]

    def steps_of(self, epochs: float) -> int:
        """How many steps read the library so often."""
        theories = epochs * len(self.library) / self._file_share
        return max(1, round(theories / self.config.theories))


def read(part: Ingredient) -> Iterator[Example]:
    """The labelled questions of a file that can be learned from."""
    reader = Reader(part.split, Path(part.mappings) if part.mappings else None)
    examples = (e for e in reader.examples(Path(part.path or "")) if e.proofs and e.program)
    return islice(examples, part.limit)


def dev_examples(config: TrainConfig) -> list[Example]:
    """The held-out questions that a run is judged by."""
    if config.dev.path is not None:
        return list(islice(read(config.dev), config.dev_questions))
    found: list[Example] = []
    place = 0
    while len(found) < config.dev_questions:
        found += _generated(config.dev, config.seed + DEV_SEED, place)
        place += 1
    return found[: config.dev_questions]


def labelled(reader: TextReader, groups: Sequence[Group], rng: random.Random) -> Batch:
    """A batch of these examples; one whose proof cannot be bound to its logic is left out."""
    try:
        return _batch(reader, groups, rng)
    except ValueError:
        kept = [[e for e in group if _is_usable(reader, e)] for group in groups]
        if not any(kept):
            raise
        batch = _batch(reader, [group for group in kept if group], rng)
        return replace(batch, left_out=sum(map(len, groups)) - len(batch))


def _is_usable(reader: TextReader, example: Example) -> bool:
    try:
        _batch(reader, [[example]], random.Random(0))
    except ValueError:
        return False
    return True


def _batch(reader: TextReader, groups: Sequence[Group], rng: random.Random) -> Batch:
    asked = [Asked(group[0].theory, [e.problem.question for e in group]) for group in groups]
    return with_gold(reader(asked, rng=rng), groups, rng)


def _made(part: Ingredient, seed: int, place: int) -> Group:
    if not part.stitched and not part.resaid:
        return _generated(part, seed, place)
    rng = random.Random(f"stitched {seed} {place}")
    path = Path(part.path or "")
    while True:
        if part.resaid:
            theory = _phrasebook(path, part.split).write(place, part.depth, rng)
        else:
            theory = _pool(path, part.split).stitch(place, rng)
        if group := sample_paraphrased(theory, rng, part.depth, 1):
            return group


@lru_cache(maxsize=4)
def _pool(path: Path, split: str | None) -> Pool:
    return Pool(Reader(split).paraphrased(path))


@lru_cache(maxsize=4)
def _phrasebook(path: Path, split: str | None) -> Phrasebook:
    return Phrasebook(Reader(split).paraphrased(path))


def _generated(part: Ingredient, seed: int, place: int) -> Group:
    """Theory `place`; a seed beside it for the rare one that does not come about."""
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
