"""Makes `ibr/logic/english/lexis/word_relations.txt` from WordNet 3.0.

    python scripts/make_word_relations.py [FOLDER]

FOLDER has the database files of WordNet 3.0 (Debian: package wordnet-base, /usr/share/wordnet).
The same files give the same output. One line for each of the commoner words, sorted:

    shut a!open a=closed v=close +shutter

    +   words derived from it
    a=  synonyms and similar words of its frequent senses, here as an adjective (n, r, v: as a
        noun, an adverb, a verb)
    n^  the kinds that its main sense is one of, or that contain it (days, months)
    a!  opposites
    n:  content words of the definition of its main sense (persons)
    n*  everyday kinds that its only noun sense is of, or the first if that has most of the uses

Words that WordNet calls offensive or obscene, and that are hardly used otherwise, are left out.
Frequent senses are those with a fifth of the counted uses, the first three at most; a word without
counted uses is taken with its relations to others if it has one sense only.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TARGET = Path("ibr/logic/english/lexis/word_relations.txt")
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# The kinds that are common knowledge, by their sense in WordNet.
EVERYDAY = (
    "animal.1 bird.1 fish.1 insect.1 mammal.1 reptile.1 amphibian.3 snake.1 dog.1 cat.1 horse.1 "
    "tree.1 flower.1 fruit.1 vegetable.1 motor_vehicle.1 tool.1 weapon.1 drink.3 "
    "piece_of_furniture.1 musical_instrument.1 garment.1 metal.1 boat.1"
)
PLAIN = re.compile(r"[a-z]{2,14}")
LEVELS = 4  # of kinds above a word
TOP = 6  # kinds nearer to the top than this are too general
SHARE, SURE, LEAST = 0.15, 0.8, 3  # shares of the counted uses; uses
OFTEN = 900  # definitions with a word that tells nothing
DEFINING = 5  # words of a definition
PERSON, TIME, ADJECTIVES = 18, 28, (0, 1, 44)  # the files of the lexicographers
NOUNS = (5, 6, 13, 18, 20)  # of animals, things, food, persons and plants
RUDE = re.compile(r"slur|offensive|obscen|vulgar|disparag|derogat|taboo|insult|sexual|prostitut")
WILD = {"animal", "bird", "fish", "insect", "mammal", "reptile", "amphibian", "tree", "flower"}


class Synset(NamedTuple):
    words: tuple[str, ...]
    pointers: tuple[tuple[str, tuple[str, int], int, int], ...]  # symbol, target, source, word
    gloss: str
    file: int


class WordNet:
    """The synsets, and the senses of each word with their counted uses."""

    def __init__(self, folder: Path) -> None:
        self.synsets: dict[tuple[str, int], Synset] = {}
        for part, name in PARTS.items():
            for line in self._lines(folder / f"data.{name}"):
                offset, synset = _synset(line)
                self.synsets[part, offset] = synset
        uses: Counter[tuple[str, str, int]] = Counter()
        for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
            key, number, count = line.split()
            word, _, rest = key.partition("%")
            part = {"1": "n", "2": "v", "4": "r"}.get(rest[0], "a")
            uses[word, part, int(number)] += int(count)
        self.senses: defaultdict[str, list[tuple[int, str, tuple[str, int]]]] = defaultdict(list)
        for part, name in PARTS.items():
            for line in self._lines(folder / f"index.{name}"):
                word, *fields = line.split()
                offsets = fields[-int(fields[1]) :]
                for number, offset in enumerate(offsets, 1):
                    synset = part, int(offset)
                    if self._is_common(word, synset):
                        self.senses[word].append((uses[word, part, number], part, synset))

    def is_rude(self, word: str) -> bool:
        """Some sense is offensive, and the others are hardly used."""
        senses = [(RUDE.search(self.synsets[s].gloss), count) for count, _, s in self.senses[word]]
        return any(rude for rude, _ in senses) and sum(n for rude, n in senses if not rude) < LEAST

    @staticmethod
    def _lines(path: Path) -> Iterator[str]:
        lines = path.read_text("utf-8").splitlines()
        return (line for line in lines if not line.startswith("  "))

    def _is_common(self, word: str, synset: tuple[str, int]) -> bool:
        """No name: Begin, Wed."""
        return word in self.synsets[synset].words or self.synsets[synset].file == TIME

    def main(self, word: str, only: str = "") -> list[tuple[str, int]]:
        """Its frequent senses, the commonest first."""
        senses = [sense for sense in self.senses.get(word, ()) if not only or sense[1] == only]
        total = sum(count for count, *_ in senses)
        if not total:
            first = self.synsets[senses[0][2]] if senses else None
            clear = len(senses) == 1 or (first and first.file in (*NOUNS, *ADJECTIVES))
            return [sense[2] for sense in senses[:1]] if clear else []
        ranked = sorted(senses, key=lambda sense: -sense[0])
        return [sense[2] for sense in ranked[:3] if sense[0] >= SHARE * total]

    def linked(self, synset: tuple[str, int], symbols: str) -> Iterator[tuple[str, int]]:
        """Whole synsets to which one points."""
        yield from (
            target for s, target, *_ in self.synsets[synset].pointers if s in symbols.split()
        )

    def above(self, synset: tuple[str, int]) -> dict[tuple[str, int], int]:
        """All kinds above, with the least number of steps."""
        found = {synset: 0}
        for one in (queue := [synset]):
            for more in self.linked(one, "@ @i"):
                if more not in found:
                    found[more] = found[one] + 1
                    queue.append(more)
        return found

    def named(self, sense: str) -> tuple[str, int]:
        word, _, number = sense.partition(".")
        return [s for _, part, s in self.senses[word] if part == "n"][int(number) - 1]


def _synset(line: str) -> tuple[int, Synset]:
    before, _, gloss = line.partition(" | ")
    offset, file, _, number, *fields = before.split()
    count = int(number, 16)
    words = tuple(re.sub(r"\(.*\)", "", word) for word in fields[: 2 * count : 2])
    rest = fields[2 * count + 1 :]
    pointers = []
    for k in range(0, 4 * int(fields[2 * count]), 4):
        symbol, target, part, places = rest[k : k + 4]
        place = "a" if part == "s" else part, int(target)
        pointers.append((symbol, place, int(places[:2], 16), int(places[2:], 16)))
    return int(offset), Synset(words, tuple(pointers), gloss, int(file))


class Relations:
    """The relations of one word after the other."""

    def __init__(self, net: WordNet) -> None:
        self.net = net
        plain = (w for w in net.senses if PLAIN.fullmatch(w) and not net.is_rude(w))
        self.main = {
            w: senses for w in plain if (senses := [s for p in PARTS for s in net.main(w, p)])
        }
        self.counted = {w for w in self.main if any(count for count, *_ in net.senses[w])}
        self.kinds = {net.named(kind): kind.partition(".")[0] for kind in EVERYDAY.split()}
        self.depth = {}
        glosses = (set(self._content(s.gloss)) for s in net.synsets.values())
        self.often = Counter(word for gloss in glosses for word in gloss)

    def line(self, word: str) -> str:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for synset in self.main[word]:
            part = synset[0]
            similar = part == "a" or word in self.counted
            found[f"{part}="] |= {*self._same(synset, similar)}
            if word in self.counted:
                others = self._pointed("+ \\ <", word, synset)
                found["+"] |= {other for other in others if not _alike(word, other)}
            found[f"{part}^"] |= {*self._kinds(synset)}
        for _, part, synset in self.net.senses[word] if word in self.counted else ():
            found[f"{part}!"] |= {*self._pointed("!", word, synset)}
        found["n:"] = {*self._defined(word)}
        found["n*"] = {*self._everyday(word)}
        wild = found["n*"] and found["n*"] <= WILD
        if word not in self.counted and not self.often[word] and (wild or not found["n*"]):
            found = {mark: some for mark, some in found.items() if self._person(word)}
        for mark, some in found.items():
            some -= {word, *(found.get(f"{mark[0]}=", ()) if mark[-1] in "^!" else ())}
        fields = (f"{mark}{','.join(sorted(some))}" for mark, some in sorted(found.items()) if some)
        return " ".join((word, *fields))

    def _person(self, word: str) -> bool:
        return any(self.net.synsets[synset].file == PERSON for synset in self.main[word])

    def _same(self, synset: tuple[str, int], similar: bool) -> Iterator[str]:
        for one in (synset, *(self.net.linked(synset, "&") if similar else ())):
            yield from self._usual(one)

    def _usual(self, synset: tuple[str, int]) -> Iterator[str]:
        """The words of which it is a frequent sense."""
        words = (word for word in self.net.synsets[synset].words if word in self.counted)
        yield from (word for word in words if synset in self.main[word])

    def _pointed(self, symbols: str, word: str, synset: tuple[str, int]) -> Iterator[str]:
        """The words to which this word of a synset points."""
        words = self.net.synsets[synset].words
        for symbol, target, source, place in self.net.synsets[synset].pointers:
            if symbol in symbols.split() and source and words[source - 1] == word:
                other = self.net.synsets[target].words[place - 1]
                if target in self.main.get(other, ()) or (symbol == "!" and other in self.main):
                    yield other

    def _kinds(self, synset: tuple[str, int]) -> Iterator[str]:
        above = self.net.above(synset) if synset[0] == "n" else {}
        near = {one for one, steps in above.items() if steps <= LEVELS and self._deep(one)}
        near |= {*self.net.linked(synset, "@")} if synset[0] == "v" else set()
        if self.net.synsets[synset].file == TIME:
            near |= {*self.net.linked(synset, "#p")}
        for one in sorted(near - {synset}):
            yield from self._usual(one)

    def _deep(self, synset: tuple[str, int]) -> bool:
        if synset not in self.depth:
            self.depth[synset] = max(self.net.above(synset).values())
        return self.depth[synset] >= TOP

    def _defined(self, word: str) -> Iterator[str]:
        first = self.net.synsets[self.main[word][0]]
        words = self._content(first.gloss) if first.file == PERSON else ()
        yield from [w for w in words if self.often[w] < OFTEN][:DEFINING]

    def _content(self, gloss: str) -> list[str]:
        plain = re.sub(r"\(.*?\)", "", gloss.partition('"')[0].partition(";")[0])
        return [word for word in re.findall(r"\w+", plain) if PLAIN.fullmatch(word)]

    def _everyday(self, word: str) -> Iterator[str]:
        """The kinds that its only noun sense is of, or its first if that has most of the uses."""
        senses = [sense for sense in self.net.senses[word] if sense[1] == "n"]
        used = sum(count for count, *_ in senses)
        least = LEAST if senses[1:] else 0
        sure = [sense for count, _, sense in senses[:1] if count >= max(least, SURE * used)]
        above = [self.net.above(sense) for sense in sure]
        for kind, name in self.kinds.items():
            if above and all(kind in some for some in above):
                yield name.rpartition("_")[2]  # instrument, vehicle


def _alike(one: str, other: str) -> bool:
    """The reader knows by itself that it is derived: suspend, suspension"""
    return one[:5] == other[:5] or one.startswith(other[:4]) or other.startswith(one)


def main() -> None:
    relations = Relations(WordNet(Path(*sys.argv[1:2] or ["/usr/share/wordnet"])))
    lines = (relations.line(word) for word in sorted(relations.main))
    text = "".join(f"{line}\n" for line in lines if " " in line)
    TARGET.write_text(text, encoding="utf-8")
    print(f"{TARGET}: {len(text.splitlines())} words, {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
