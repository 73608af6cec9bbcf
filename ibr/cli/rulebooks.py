"""`ibr read`, `prove`, `solve` and `explain`: the sentences of a rulebook and questions on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from ibr.choices import Assumption
from ibr.cli.output import emit_json, note, show
from ibr.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from ibr.asking.result import Result
    from ibr.asking.rulebook import Entry
    from ibr.proof import Proof

_STDOUT = "-"
_MAX_STATES = 200_000  # of the count of proofs: some seconds


def read(rules: str, json: bool = False, trace: bool = False) -> None:
    """Show how each sentence is read; nothing is guessed silently."""
    from ibr.asking.rulebook import Rulebook
    from ibr.data.formats.jsonl import read_text
    from ibr.logic.language import stages_of

    book = Rulebook.parse(read_text(rules))
    entries = book.entries
    if json:
        emit_json(book.to_json())
        return
    for entry, unmet in zip(entries, book.unmet, strict=True):
        lines = [*_entry_lines(entry), *(f"No sentence says that {each}." for each in unmet)]
        lines += stages_of(book.theory, entry.index) if trace else []
        show("\n      ".join(lines))
    kinds = Counter(entry.reading.kind for entry in entries)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    show(f"{len(entries)} sentences: {counts or 'none'}")


def _entry_lines(entry: Entry) -> list[str]:
    reading = entry.reading
    lines = [f"[{entry.index + 1}] line {entry.line}, {reading.kind}: {reading.text}"]
    if entry.canonical:
        lines.append(f"I read this as: {entry.canonical}")
    elif reading.reason:
        lines.append(f"Why not: {reading.reason}")
    lines += [f"Or: {other}" for other in entry.others]
    return lines


def prove(
    rules: str,
    questions: list[str],
    reasoner: str = "verified",
    beams: int | None = None,
    world: Assumption = Assumption.CLOSED,
    trace: bool = False,
    dot: bool = False,
    mermaid: bool = False,
    svg: str | None = None,
    fail_if_unproved: bool = False,
    json: bool = False,
) -> None:
    """Answer questions with the model, check its proofs and explain them."""
    if trace and reasoner == "solver":
        raise UsageError("--trace: only a model has that, not 'solver'")
    output = _Output(dot, mermaid, svg, json, fail_if_unproved)
    output.check(len(questions), {"--trace": trace})
    results = output.draw(_results(rules, questions, world, reasoner, beams))
    output.write((result.to_json(trace) if json else result.lines(trace)) for result in results)
    output.exit(results)


def solve(
    rules: str,
    questions: list[str],
    explain: bool = False,
    all_proofs: int = 0,
    world: Assumption = Assumption.CLOSED,
    dot: bool = False,
    mermaid: bool = False,
    svg: str | None = None,
    fail_if_unproved: bool = False,
    json: bool = False,
) -> None:
    """Answer questions about a rulebook; --json prints one line per question."""
    output = _Output(dot, mermaid, svg, json, fail_if_unproved)
    output.check(len(questions), {"--explain": explain, "--all-proofs": all_proofs > 0})
    results = output.draw(_results(rules, questions, world))
    output.write(_solved(result, json, explain, all_proofs) for result in results)
    output.exit(results)


def _solved(result: Result, json: bool, explain: bool, limit: int) -> dict[str, Any] | list[str]:
    """With the first `limit` proofs."""
    from ibr.drawing.proof_lines import proof_lines
    from ibr.proof import graph_to_json

    count, proofs = _some_proofs(result, limit) if limit else (None, [])
    if json:
        found = {"proof_count": count, "proofs": [graph_to_json(proof.graph) for proof in proofs]}
        return result.to_json(why=explain) | (found if limit else {})
    lines = result.lines(why=explain)
    if limit:
        lines.append("Proofs: too many to count" if count is None else f"Proofs: {count:,}")
    for number, proof in enumerate(proofs, start=1):
        lines += [f"  proof {number}:", *proof_lines(result.book.theory, proof, "    ")]
    return lines


def explain(
    rules: str, question: str, world: Assumption = Assumption.CLOSED, json: bool = False
) -> None:
    """Say why a statement holds; or why not, and which single fact would change that."""
    (result,) = _results(rules, [question], world)
    _Output(json=json).write([result.to_json() if json else result.lines(tree=False)])


def _results(
    rules: str,
    questions: Sequence[str],
    world: Assumption,
    reasoner: str = "solver",
    beams: int | None = None,
) -> list[Result]:
    """One for each question. Notes what cannot be read."""
    from ibr.asking.prover import load
    from ibr.asking.rulebook import Rulebook
    from ibr.data.formats.jsonl import read_text

    prover = load(reasoner, beams)
    book = Rulebook.parse(read_text(rules), world)
    for entry in book.unreadable:
        note(f"{rules}, {entry.problem}; the proofs cannot use it")
    if not book.entries:
        note(f"{rules}: there is no sentence in it")
    return prover.prove(book, list(questions))


def _some_proofs(result: Result, limit: int) -> tuple[int | None, list[Proof]]:
    """How many proofs there are (None: too many to count), and the first ones, shortest first."""
    from itertools import islice

    from ibr.logic.solving.solver import TooManyStates

    proved, solver = result.check.shows, result.book.solver
    if proved is None or solver is None:
        return 0, []
    try:
        count = solver.count_proofs(proved, _MAX_STATES)
    except TooManyStates:
        count = None
    return count, list(islice(solver.proofs(proved), limit))


@dataclass(frozen=True, slots=True)
class _Output:
    """What is printed and drawn of some results; `svg` is a file."""

    dot: bool = False
    mermaid: bool = False
    svg: str | None = None
    json: bool = False
    fail_if_unproved: bool = False

    @property
    def draws(self) -> bool:
        return self.dot or self.mermaid or self.svg is not None

    @property
    def printed(self) -> list[str]:
        """The options that print a picture and nothing else."""
        asked = {"--dot": self.dot, "--mermaid": self.mermaid, "--svg -": self.svg == _STDOUT}
        return [name for name, is_on in asked.items() if is_on]

    def check(self, questions: int, beside: Mapping[str, bool]) -> None:
        """`beside` are further options that print something else, and whether they are on."""
        if self.draws and questions != 1:
            raise UsageError(f"a picture shows one question, not {questions}: ask them in turn")
        others = [name for name, is_on in {"--json": self.json, **beside}.items() if is_on]
        if self.printed and (others := [*self.printed[1:], *others]):
            raise UsageError(f"{self.printed[0]} prints a picture and nothing else: no {others[0]}")

    def draw(self, results: list[Result]) -> list[Result]:
        """Draw the one result, if a picture is asked for; return the results."""
        if not self.draws:
            return results
        from ibr.asking.pictures import picture
        from ibr.data.formats.jsonl import writing
        from ibr.drawing.svg import dot, mermaid, svg

        drawn = picture(results[0])
        printed = _STDOUT if self.dot else None, _STDOUT if self.mermaid else None
        for draw, path in zip((dot, mermaid, svg), (*printed, self.svg), strict=True):
            if path is not None:
                with writing(path) as stream:
                    stream.write(draw(drawn))
        return results

    def write(self, answers: Iterable[dict[str, Any] | list[str]]) -> None:
        for number, answer in enumerate([] if self.printed else answers):
            if isinstance(answer, dict):
                emit_json(answer)
            else:
                show("\n".join(([""] if number else []) + answer))

    def exit(self, results: Sequence[Result]) -> None:
        """With code 10 on `--fail-if-unproved` unless the verdict of each is `yes`."""
        if self.fail_if_unproved and not all(result.proved for result in results):
            raise typer.Exit(ExitCode.UNPROVED)
