"""The documentation is true: its links lead somewhere, its sentences are read as it says, its

sessions are what the commands print, and nothing of the house is left out.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from sessions import ROOT, blocks, run, serves

from ibr import manifest
from ibr.logic.language import read, read_question, say, say_clause
from ibr.logic.reading import ReadError
from ibr.logic.solver import NotStratified, Solver
from ibr.rulebook import Rulebook
from ibr.theory import Kind

DOCS = ROOT / "docs"
needs_model = pytest.mark.skipif(
    not (manifest.EMBEDDED / manifest.MANIFEST).is_file(),
    reason="ibr/models/small is not here: export a model to it to run this test",
)


# Links and files


@pytest.fixture
def check_docs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import check_docs

    return check_docs


def test_all_that_is_pointed_at_is_there() -> None:
    assert run(f"{sys.executable} scripts/check_docs.py", ROOT).strip() == ""


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("[x](docs/none.md)", "no such file: docs/none.md"),
        ("![x](docs/none.png)", "no such file: docs/none.png"),
        ("[x](docs/page.md#none)", "no such heading: docs/page.md#none"),
        ("[x](#none)", "no such heading: #none"),
        ("[x](../elsewhere.md)", "leads out of the repository: ../elsewhere.md"),
        ("See `ibr/none.py`.", "no such file: ibr/none.py"),
        ("See `none.py` and `folder/`.", "no such file: none.py"),
        ("```sh\nibr read examples/none.txt\n```", "no such file: examples/none.txt"),
        ("It lies in /home/tom/file.", "a path of one machine: /home/tom/file."),
    ],
)
def test_faults_are_found(check_docs: ModuleType, tmp_path: Path, text: str, trouble: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# A page: `x`\n")
    (tmp_path / "README.md").write_text(f"# Top\n\nFirst.\n\n{text}\n")
    found = list(check_docs.problems(tmp_path))
    assert f"README.md:5: {trouble}" in found


def test_what_is_right_is_no_fault(check_docs: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# A page: `x`\n\n# Twice\n\n# Twice\n")
    text = (
        "# Top\n\n[a](docs/page.md#a-page-x) [b](docs/page.md#twice-1) [c](#top) `docs/page.md`\n"
    )
    (tmp_path / "README.md").write_text(f"{text}\n`RULES.txt` <https://example.org/none>\n")
    assert list(check_docs.problems(tmp_path)) == []


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.targets += [value for name, value in attrs if name in ("href", "src") and value]
        self.names |= {value for name, value in attrs if name == "id" and value}


def test_the_built_pages_lead_to_each_other(tmp_path: Path) -> None:
    run(f"{sys.executable} scripts/make_docs.py {tmp_path / 'site'}", ROOT)
    pages = {path: _Links(path.read_text()) for path in (tmp_path / "site").rglob("*.html")}
    assert len(pages) == 1 + len(list(DOCS.rglob("*.md")))
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme:
                continue
            path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert path.exists(), f"{page.name}: {target}"
            assert path.suffix != ".md", f"{page.name}: {target}"
            assert not parts.fragment or parts.fragment in pages[path].names, target


def test_every_page_is_on_the_map(check_docs: ModuleType) -> None:
    index = DOCS / "index.md"
    parsed = check_docs.parser().parse(index.read_text(encoding="utf-8"))
    targets = {str(t.attrGet("href")).partition("#")[0] for _, t in check_docs.flat(parsed)}
    linked = {(DOCS / target).resolve() for target in targets}
    assert set(check_docs.pages()) - {index} <= linked


def test_every_room_is_on_the_plan() -> None:
    plan = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w.]+", " ".join(re.findall(r"`([^`]+)`", plan))))
    package = [p for p in (ROOT / "ibr").iterdir() if not p.name.startswith("_")]
    rooms = {p.name for p in package if p.suffix == ".py" or (p.is_dir() and any(p.glob("*.py")))}
    rooms |= {p.name for p in (ROOT / "ibr" / "data").glob("[a-z]*.py")}
    rooms |= {p.stem for p in (ROOT / "benchmarks").glob("[a-z]*.py")}
    rooms |= {p.stem for p in (ROOT / "ibr" / "serving").glob("[a-z]*.py")}
    assert sorted(room for room in rooms if room not in named) == []


# docs/writing-rules.md: every sentence is read, or refused, as it says


def tables(page: Path) -> list[tuple[list[str], list[list[str]]]]:
    """Header and rows of each, as text."""
    found: list[list[list[str]]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and token.level > 3 and found:
            found[-1][-1].append(token.content)
    return [(rows[0], rows[1:]) for rows in found]


def rows_under(*header: str) -> list[list[str]]:
    every = tables(DOCS / "writing-rules.md")
    assert header in {tuple(found) for found, _ in every}
    return [row for found, rows in every if tuple(found) == header for row in rows]


def meaning(text: str) -> str:
    return " ".join(say_clause(clause) for clause in read(text).clauses)


def test_every_table_is_one_that_is_checked() -> None:
    checked = {"You write", "Not read", "Remark", "You ask", "Not answered"}
    assert {header[0] for header, _ in tables(DOCS / "writing-rules.md")} == checked


@pytest.mark.parametrize(("text", "said"), rows_under("You write", "It is read as"))
def test_what_can_be_written(text: str, said: str) -> None:
    assert meaning(text) == said


@pytest.mark.parametrize(("text", "why", "instead"), rows_under("Not read", "Why", "Write"))
def test_what_is_refused(text: str, why: str, instead: str) -> None:
    reading = read(text)
    assert reading.kind is Kind.UNKNOWN
    assert reading.reason == why
    assert reading.rewrite in (None, instead)
    assert meaning(instead)


@pytest.mark.parametrize("text", [row[0] for row in rows_under("Remark")])
def test_remarks(text: str) -> None:
    assert read(text).kind is Kind.REMARK


@pytest.mark.parametrize(("text", "said"), rows_under("You ask", "It is read as"))
def test_what_can_be_asked(text: str, said: str) -> None:
    assert say(read_question(text)) == said


@pytest.mark.parametrize(("text", "why"), rows_under("Not answered", "Why"))
def test_what_cannot_be_asked(text: str, why: str) -> None:
    with pytest.raises(ReadError) as refused:
        read_question(text)
    assert refused.value.reason == why


def test_the_layout_that_is_shown_is_read() -> None:
    (shown,) = [block for block in blocks(DOCS / "writing-rules.md") if block.kind == "text"]
    book = Rulebook.parse(shown.text)
    kinds = [entry.reading.kind for entry in book.entries]
    assert kinds == [Kind.REMARK, Kind.RULE, Kind.RULE]
    assert book.entries[-1].said == "If X is a member then X may borrow tools."


def test_a_circle_is_named() -> None:
    (said,) = re.findall(r'\("(.+?)"\) has no answer', (DOCS / "writing-rules.md").read_text())
    with pytest.raises(NotStratified, match="circle"):
        Solver(Rulebook.parse(f"Tom is tall. {said}").program)


# docs/tutorial.md: from the first line to the last


def told(lines: list[str], command: str) -> list[str]:
    """What does not depend on which model it is: not its confidence, whose proof it is, in which

    order it grew, and by which chain it failed.
    """
    if "ibr prove" not in command:
        return lines
    text = re.sub(r"\(the [^;]+;", "(", "\n".join(lines))
    text = re.sub(r"^  The model alone .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"Where it fails:\n.*?(?=^Why not:)", "", text, flags=re.MULTILINE | re.DOTALL)
    return sorted(text.splitlines())


@needs_model
def test_the_tutorial_happens(tmp_path: Path) -> None:
    shown = blocks(DOCS / "tutorial.md")
    assert [b.line for b in shown if b.looks_like_commands and not list(b.commands())] == []
    verbs = []
    for block in shown:
        if block.kind == "text":
            (tmp_path / block.info.split()[1]).write_text(block.text)
        for command, expected in block.commands():
            verbs.append(command.split()[1])
            if command == "ibr serve":
                serves(command, tmp_path)
            else:
                printed = run(command, tmp_path).splitlines()
                assert told(printed, command) == told(expected or [], command), command
    assert {"read", "prove", "serve"} <= set(verbs)
    assert (tmp_path / "proof.svg").read_text().startswith("<svg")


# docs/cli.md


@needs_model
def test_the_sessions_of_the_command_line_happen() -> None:
    pairs = [pair for block in blocks(DOCS / "cli.md") for pair in block.commands()]
    sessions = [(command, shown) for command, shown in pairs if shown is not None]
    assert sessions
    for command, shown in sessions:
        assert told(run(command, ROOT).splitlines(), command) == told(shown, command), command


# The notebook


@pytest.mark.slow
@needs_model
def test_the_notebook_runs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "examples" / "notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert "valid" in outputs["prove"][0].data["text/plain"]
    assert "so Mia is approved [4]." in outputs["explain"][0].text
    assert "<svg" in outputs["picture"][0].data["text/html"]
    assert "END" in outputs["trace"][0].text
    assert "Noah is trained." in outputs["repair"][0].data["text/plain"]


def test_the_notebook_is_kept_without_output() -> None:
    text = (ROOT / "examples" / "notebook.ipynb").read_text(encoding="utf-8")
    assert len(text) < 10_000
    assert text.count('"outputs": []') == text.count('"cell_type": "code"') > 5
