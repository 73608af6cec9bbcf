"""The rulebooks in `examples/`: every sentence is read, and the questions they suggest work."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from shell import Run, runner

from ibr.serving.examples import ORDER, ExampleRulebook, examples

ROOT = Path(__file__).resolve().parent.parent
RULEBOOKS = sorted((ROOT / "examples").glob("*.txt"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(ROOT)
    return runner(monkeypatch, capsys)


def test_there_are_examples() -> None:
    assert {path.stem for path in RULEBOOKS} == set(ORDER)


@pytest.mark.parametrize("book", examples(), ids=lambda book: book.name)
def test_the_page_offers_them_without_the_comment_at_the_top(book: ExampleRulebook) -> None:
    text = (ROOT / "examples" / f"{book.name}.txt").read_text()
    assert text.endswith(book.rules)
    assert "ibr" not in book.rules
    assert text.startswith(f"# {book.title}.")
    assert len(book.questions) >= 3
    assert all(f'"{question}"' in text for question in book.questions)


def test_a_rulebook_without_a_title_or_a_question_is_refused() -> None:
    for text in ("Bob is big.\n", "# Bob. Ask:\nBob is big.\n"):
        with pytest.raises(ValueError, match="a title and a question"):
            ExampleRulebook.parse("bob", text)


@pytest.mark.parametrize("path", RULEBOOKS, ids=lambda path: path.stem)
def test_every_sentence_is_read(run: Run, path: Path) -> None:
    kinds = [entry["kind"] for entry in run("read", path, "--json").json]
    assert "unknown" not in kinds
    assert {"fact", "rule"} <= set(kinds)


@pytest.mark.parametrize("path", RULEBOOKS, ids=lambda path: path.stem)
def test_the_suggested_commands_answer(run: Run, path: Path) -> None:
    """The comment at the top shows one question that is proved and one that is not."""
    lines = path.read_text().splitlines()
    commands = [shlex.split(line[1:])[1:] for line in lines if line.startswith("#   ibr ")]
    answers = [run(*command, "--json").json for command in commands]
    assert {answer["checked"] for answer in answers} == {"valid"}
    assert {answer["answer"] for answer in answers} == {True, False}


def test_the_documented_session_is_real(run: Run) -> None:
    """A block of `docs/cli.md` that starts with "$ ibr" shows what the command prints."""
    blocks = (ROOT / "docs" / "cli.md").read_text().split("\n\n")
    sessions = [block for block in blocks if block.startswith("    $ ibr ")]
    assert sessions
    for block in sessions:
        command, *shown = [line[4:] for line in block.splitlines()]
        done = run(*shlex.split(command)[2:])
        assert done.out.splitlines() == shown
        assert not done.err
