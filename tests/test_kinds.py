"""Fact or rule, where the parser cannot tell: the guess, what it rests on, and who is given it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paraphrases import FILE_ROWS, save
from shell import runner

import ibr.cli.jobs
from benchmarks import fit_kinds as training
from benchmarks.fit_kinds import Labelled, fit
from ibr.data.formats.sources import Reader
from ibr.inputs.model_words import default_words
from ibr.inputs.normalise import with_kinds
from ibr.logic.language import read
from ibr.prediction import Prediction
from ibr.theory import Kind, Problem, Theory

KINDS = default_words().kinds
BOOKS = Path(__file__).with_name("rulebooks")
TALK = {
    "Old Piotr came home late, and he looked rather pale.": Kind.FACT,
    "You'd never think so, but Zelda is quite shy and a bit odd.": Kind.FACT,
    "When we met Ivo, he was poor; today he's rich.": Kind.FACT,
    "People say that Mr. Quill is mean. He is just tired.": Kind.FACT,
    "I've noticed that odd people who look pale tend to be shy.": Kind.RULE,
    "Show me someone who is bored and I'll show you somebody rude.": Kind.RULE,
    "Being poor and sick will make anyone sad.": Kind.RULE,
    "Most shy, quiet folks turn out to be rather clever.": Kind.RULE,
}
# The same shape: a name, a plural, a word in -ed, -ing or -ly, any other word.
OTHER_WORDS = {
    "piotr": "zqar",
    "dave": "quentin",
    "big": "frumious",
    "kind": "red",
    "bears": "toves",
    "likes": "outgrabes",
    "painted": "galumphed",
    "shining": "burbling",
    "oddly": "frabjously",
}


@pytest.mark.parametrize(("text", "kind"), TALK.items())
def test_how_people_talk(text: str, kind: Kind) -> None:
    assert KINDS.kind_of(text) is kind


@given(st.text())
def test_any_text_has_a_kind(text: str) -> None:
    assert KINDS.kind_of(text) in (Kind.FACT, Kind.RULE)


@pytest.mark.parametrize(
    "text",
    [
        "Dave, who is big, oddly likes Piotr and the painted bears.",
        "Big, kind, shining bears are oddly kind when Dave likes them.",
        "Whoever is big and likes Dave isn't kind.  He's Piotr!",
        "BIG BEARS ARE KIND.",
    ],
)
def test_only_the_shape_of_a_content_word_counts(text: str) -> None:
    changed = text
    for word, other in OTHER_WORDS.items():
        changed = changed.replace(word, other).replace(word.capitalize(), other.capitalize())
        changed = changed.replace(word.upper(), other.upper())
    assert changed != text
    assert KINDS.features(changed) == KINDS.features(text)


def test_every_weight_is_of_known_words_and_shapes() -> None:
    assert len(json.dumps(KINDS.data)) <= 100_000
    shapes = {"First", "Firsts", "Name", "#", "word", "words", "word-ed", "word-ing", "word-ly"}
    marks = {"^", "$", ".", ",", "+", "name", "no", "before", "0", "1", "2", "3"}
    for feature in KINDS.weights:
        head, colon, rest = feature.partition(": ")
        for symbol in (rest if colon else head).replace(", ^", " ^").replace(", n", " n").split():
            assert symbol in KINDS.known | shapes | marks or symbol.isupper(), feature


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Young Dave can’t swim.", "First Name can n't word"),
        ("Dave is big.  He won't rest!", "Name is word . he will n't word"),
        ("Dave often likes the sea.", "Name often words the word"),
        ("Dave, who is big, rests.", "Name , who is word , words"),
        ("Mr. Ochoa has 2 well-known dogs.", "First Name has # word words"),
        ("Big, kind people", "First , word people"),
        ("Bears are big.", "Firsts are word"),
        ("DAVE IS BIG.", "Name is word"),
        ("…", ""),
    ],
)
def test_what_is_seen_of_a_sentence(text: str, expected: str) -> None:
    assert " ".join(KINDS.symbols(text)) == expected


def test_who_is_believed_about_a_kind() -> None:
    """Its author, then the parser (who may call it a remark), then the guess."""
    fact, rule = "You'd never think so, but Zelda is quite shy and a bit odd.", "Bears are kind."
    assert not read(fact).readable
    texts = [fact, rule, "House rules", fact, rule]
    unsaid = Kind.UNKNOWN
    theory = with_kinds(Theory.of(texts, [unsaid, unsaid, unsaid, Kind.RULE, Kind.FACT]), KINDS)
    kinds = [Kind.FACT, Kind.RULE, Kind.REMARK, Kind.RULE, Kind.FACT]
    assert [sentence.kind for sentence in theory] == kinds
    assert [sentence.text for sentence in theory] == texts


@pytest.mark.parametrize(
    "text",
    [
        "Amir seems tired and a little pale today.",
        "Rosa seems calm and pale.",
        "The printer seems slow and a little loud now.",
        "Zelda is shy and a little odd.",
    ],
)
def test_what_someone_seems_to_be_is_no_rule(text: str) -> None:
    (sentence,) = with_kinds(Theory.of([text]), KINDS)
    assert sentence.kind is Kind.FACT


def test_the_fit_finds_what_tells_them_apart_and_is_always_the_same() -> None:
    texts = {
        "If a dog barks, it is big.": Kind.RULE,
        "If a cat rests, it is old.": Kind.RULE,
        "The dog barks and it is big.": Kind.FACT,
        "The cat rests and it is old.": Kind.FACT,
    }
    labelled = [Labelled(KINDS.features(text), kind, 1.0) for text, kind in texts.items()]
    found = fit(labelled)
    assert found.data == fit(labelled).data
    assert found.weights["^ if"] > 0 > found.weights["^ the"]
    assert "big" not in " ".join(found.weights)
    assert all((found.log_odds(s.features) > 0) == (s.kind is Kind.RULE) for s in labelled)


def test_sentences_written_for_training_are_in_no_rulebook() -> None:
    """The rulebooks measure how well ordinary English is judged."""
    ordinary = {text for _, text in training.read_ordinary()}
    assert len(ordinary) > 400
    assert not ordinary & set(_books())


def test_ordinary_rulebooks() -> None:
    kinds = {text: kind for text, kind in _books().items() if kind in (Kind.FACT, Kind.RULE)}
    right = sum(KINDS.kind_of(text) is kind for text, kind in kinds.items())
    assert right / len(kinds) >= 0.9


def _books() -> dict[str, Kind]:
    books = (json.loads(file.read_text(encoding="utf-8")) for file in BOOKS.glob("*.json"))
    return {s["text"]: Kind(s["kind"]) for book in books for s in book["sentences"]}


def test_held_out_paraphrases(real_data: Path) -> None:
    train, held_out = training.pararules(_tsv(real_data))
    assert not train.keys() & held_out.keys()
    texts = {text: kind for texts in held_out.values() for text, kind in texts.items()}
    assert texts.keys().isdisjoint(text for learned in train.values() for text in learned)
    assert len(texts) > 400
    assert sum(KINDS.kind_of(text) is kind for text, kind in texts.items()) / len(texts) >= 0.99


@pytest.mark.slow
def test_a_refit_is_as_good_as_the_weights_of_the_package(real_data: Path) -> None:
    train, held_out = training.pararules(_tsv(real_data))
    made = fit([*training.paraphrased(train.values()), *training.generated(), *training.ordinary()])
    texts = {text: kind for texts in held_out.values() for text, kind in texts.items()}
    ours, theirs = (
        sum(fitted.kind_of(text) is kind for text, kind in texts.items())
        for fitted in (made, KINDS)
    )
    assert ours >= theirs


def _tsv(real_data: Path) -> Path:
    return real_data / "pararules" / "turk-questions-train-mappings.tsv"


class Listening:
    """A system that remembers what it was asked, and says yes."""

    name = "listening"

    def __init__(self) -> None:
        self.heard: list[Problem] = []

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        self.heard += problems
        return [Prediction(problem.id, True, self.name) for problem in problems]


@pytest.mark.parametrize("verb", ["evaluate", "predict"])
def test_no_system_is_given_gold_kinds(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A user's text has none; a file's come from the logic that the system should find."""
    path, system = save(tmp_path / "small.tsv", FILE_ROWS), Listening()
    monkeypatch.setattr(ibr.cli.jobs, "get_reasoner", lambda *_, **__: system)
    options = ["--data", path] if verb == "evaluate" else ["--in", path, "--out", "-"]
    assert runner(monkeypatch, capsys)(verb, "--reasoner", "any", *options).code == 0
    assert system.heard
    assert {s.kind for problem in system.heard for s in problem.theory} == {Kind.UNKNOWN}


def test_training_keeps_gold_kinds_and_nothing_else_is_lost_without(tmp_path: Path) -> None:
    path = save(tmp_path / "small.tsv", FILE_ROWS)
    told, untold = (list(Reader(kinds=kinds).examples(path)) for kinds in (True, False))
    assert {s.kind for example in told for s in example.theory} == {Kind.FACT, Kind.RULE}
    for one, other in zip(told, untold, strict=True):
        assert [s.text for s in one.theory] == [s.text for s in other.theory]
        assert (one.proofs, one.program, one.answer) == (other.proofs, other.program, other.answer)


def test_kinds_that_the_author_of_a_file_wrote_stay(tmp_path: Path) -> None:
    path = save(tmp_path / "small.tsv", FILE_ROWS)
    example = next(Reader().examples(path))
    lines = tmp_path / "own.jsonl"
    lines.write_text(json.dumps(example.to_json()) + "\n", encoding="utf-8")
    (again,) = Reader(kinds=False).examples(lines)
    assert again.theory == example.theory
