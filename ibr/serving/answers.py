"""What the worker does with requests: one library call each, and its result as JSON.

Requests to prove that came together are proved together; those that stream are told what happens
while it does. It knows no HTTP.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ibr.browsing import pictures
from ibr.checking import check_to_json
from ibr.drawing.places import places
from ibr.events import Guess, Stepped
from ibr.heard import hear
from ibr.logic.verifier import Check, check
from ibr.memory import forget_models, forget_readings, give_back
from ibr.prediction import Status
from ibr.proof import Graph, ProofError, node_from_json
from ibr.proved import Proved
from ibr.prover import Prover, Told
from ibr.rulebook import Rulebook
from ibr.serving.faults import Refused, fault_of_sentences
from ibr.serving.limits import Limits
from ibr.serving.worker import Job
from ibr.suggest import suggestions
from ibr.theory import Strategy

Event = tuple[str, dict[str, Any]]
_REMEMBERED: Final = 250_000  # characters: about 10 MB of readings
_HEAVY: Final = 1.0  # seconds: what took so long may have left much behind


@dataclass(frozen=True, slots=True)
class ToProve:
    rules: str
    questions: tuple[str, ...]
    beams: int
    trace: bool
    pictures: bool
    stream: bool = False  # tell events; the result is then empty


@dataclass(frozen=True, slots=True)
class ToRead:
    rules: str


@dataclass(frozen=True, slots=True)
class ToCheck:
    rules: str
    question: str
    nodes: tuple[int | str, ...]
    edges: tuple[tuple[int | str, int | str], ...]
    strategy: str | None
    answer: bool | None


class Answers:
    """The work of a `Worker`: the text of an answer for each job, or what went wrong."""

    def __init__(self, prover: Prover, limits: Limits) -> None:
        self._prover, self._limits = prover, limits
        self._read = 0  # characters since the last time that readings were forgotten

    def __call__(self, jobs: Sequence[Job]) -> list[bytes | Exception]:
        started = time.perf_counter()
        try:
            return self._answered(jobs)
        finally:
            self._read += sum(len(job.asked.rules) for job in jobs)
            if time.perf_counter() - started > _HEAVY:
                forget_models()
            if self._read > _REMEMBERED:
                forget_readings()
                give_back()
                self._read = 0

    def _answered(self, jobs: Sequence[Job]) -> list[bytes | Exception]:
        """All together; if that fails, one by one, so that none spoils it for the rest."""
        try:
            if isinstance(jobs[0].asked, ToProve):
                return list(self._proved(jobs))
            return [self._told(job.asked) for job in jobs]
        except Exception as error:
            return [error] if len(jobs) == 1 else [self._answered([job])[0] for job in jobs]

    def _book(self, rules: str) -> Rulebook:
        fault = fault_of_sentences(rules, self._limits)
        if fault:
            raise Refused(422, fault)
        return Rulebook.parse(rules)

    def _proved(self, jobs: Sequence[Job]) -> Iterator[bytes]:
        asked: list[ToProve] = [job.asked for job in jobs]
        books = [self._book(each.rules) for each in asked]

        pairs = [(book, each.questions) for book, each in zip(books, asked, strict=True)]
        if not any(each.stream for each in asked):
            found = self._prover.prove_many(pairs, asked[0].beams)
        else:
            found = [[] for _ in jobs]
            for place, number, told in self._prover.watch(pairs, asked[0].beams):
                if isinstance(told, Proved):
                    found[place].append(told)
                if asked[place].stream:
                    jobs[place].tell(_event(number, told))
        for book, proved, each in zip(books, found, asked, strict=True):
            yield b"" if each.stream else _json(_answer(book, proved, each))

    def _told(self, asked: ToRead | ToCheck) -> bytes:
        book = self._book(asked.rules)
        if isinstance(asked, ToCheck):
            return _json(check_to_json(_checked(book, asked)))
        sentences = [entry.to_json() for entry in book.entries]
        return _json({"sentences": sentences, "suggestions": suggestions(book.program)})


def _event(number: int, told: Told) -> Event:
    """Every event has the number of its question as `question`."""
    if isinstance(told, Guess):
        return "answer", told.to_json() | {"question": number}
    if isinstance(told, Stepped):
        return "step", {"question": number} | told.to_json()
    result = _result(told, trace=True, drawn=True)
    return "result", result | {"text": result["question"], "question": number}


def _answer(book: Rulebook, found: Sequence[Proved], asked: ToProve) -> dict[str, Any]:
    return {
        "sentences": [entry.to_json() for entry in book.entries],
        "results": [_result(proved, asked.trace, asked.pictures) for proved in found],
    }


def _result(proved: Proved, trace: bool, drawn: bool) -> dict[str, Any]:
    result = proved.to_json(trace)
    return result | {"pictures": [*map(places, pictures(proved))]} if drawn else result


def _checked(book: Rulebook, asked: ToCheck) -> Check:
    """As `ibr check` does; what is no graph, or asks nothing that can be read, is no error here."""
    heard = hear(asked.question)
    if heard.literal is None:
        return Check(Status.UNREADABLE, heard.trouble)
    try:
        nodes = [node_from_json(node) for node in asked.nodes]
        graph = Graph.of(nodes, [[node_from_json(end) for end in edge] for edge in asked.edges])
    except ProofError as error:
        return Check(Status.INVALID, str(error))
    strategy = None if asked.strategy is None else Strategy(asked.strategy)
    return check(book.program, heard.literal, graph, strategy, asked.answer)


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()
