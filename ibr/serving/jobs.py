"""The work of the server's worker: one library call per request, its result as JSON. No HTTP.

Requests to prove that form a batch are proved together. The work yields between the steps of the
model's search and between requests, so that a batch can be cancelled there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any, Final

from ibr.asking.caches import forget_models, forget_readings, give_back
from ibr.asking.pictures import pictures
from ibr.asking.prover import Prover
from ibr.asking.question import ParsedQuestion
from ibr.asking.result import Result
from ibr.asking.rulebook import Rulebook
from ibr.asking.suggestions import suggestions
from ibr.bulk.checks import check_to_json
from ibr.choices import Assumption
from ibr.decoding.events import Guess, Stepped
from ibr.drawing.svg import places
from ibr.logic.checking.verifier import Check, check
from ibr.logic.surface.segment import comment_lines, segment
from ibr.prediction import Status
from ibr.proof import Graph, ProofError, node_from_json
from ibr.serving.bodies import CheckBody, Options, ProveBody, ReadBody
from ibr.serving.limits import Fault, RequestError, ServerLimits
from ibr.serving.worker import QueuedJob, Steps
from ibr.theory import Strategy

Event = tuple[str, dict[str, Any]]
_MAX_CACHED: Final = 250_000  # characters of rules, about 10 MB of readings
_SLOW: Final = 1.0  # seconds, after which the solver's caches may be large


class Answers:
    """The work of a `Worker`: for each job the response body, or the error."""

    def __init__(self, prover: Prover, limits: ServerLimits) -> None:
        self._prover, self._limits = prover, limits
        self._cached = 0  # characters of rules since the caches were cleared

    def __call__(self, jobs: Sequence[QueuedJob]) -> Steps:
        started = time.perf_counter()
        try:
            return (yield from self._answer(jobs))
        finally:
            self._cached += sum(len(job.request.rules) for job in jobs)
            if time.perf_counter() - started > _SLOW:
                forget_models()
            if self._cached > _MAX_CACHED:
                forget_readings()
                give_back()
                self._cached = 0

    def _answer(self, jobs: Sequence[QueuedJob]) -> Steps:
        """All together; if that fails, one by one, so that one error does not fail the others."""
        try:
            if isinstance(jobs[0].request, ProveBody):
                return (yield from self._prove(jobs))
            return [self._read_or_check(job.request) for job in jobs]
        except Exception as error:
            if len(jobs) == 1:
                return [error]
        results: list[Any] = []
        for job in jobs:
            results += yield from self._answer([job])
        return results

    def _parse(self, request: ReadBody) -> Rulebook:
        """422 for too many sentences, found before any is read; names the first over the limit."""
        sentences, most = segment(request.rules), self._limits.max_sentences
        if len(sentences) > most:
            message = f"{len(sentences):,} sentences; at most {most:,} (max_sentences)"
            raise RequestError(422, Fault("rules", message, most, sentences[most].line))
        book = Rulebook.of(sentences, comment_lines(request.rules))
        return replace(book, world=Assumption(request.world))

    def _prove(self, jobs: Sequence[QueuedJob]) -> Generator[None, None, list[bytes]]:
        pairs = []
        for job in jobs:
            pairs.append((self._parse(job.request), job.request.questions))
            yield
        found: list[list[Result]] = [[] for _ in jobs]
        for happened in self._prover.watch(pairs, jobs[0].request.options.beams):
            yield
            if not happened:
                continue
            place, number, event = happened
            if isinstance(event, Result):
                found[place].append(event)
            if send := jobs[place].send:
                send(_event(number, event))
        return [
            b"" if job.send else _json(_response(book, results, job.request.options))
            for job, (book, _), results in zip(jobs, pairs, found, strict=True)
        ]

    def _read_or_check(self, request: ReadBody) -> bytes:
        book = self._parse(request)
        if isinstance(request, CheckBody):
            return _json(check_to_json(_check(book, request)))
        sentences = [entry.to_json() for entry in book.entries]
        return _json(
            {"sentences": sentences, "suggestions": suggestions(book.program, book.solver)}
        )


def _event(number: int, event: Guess | Stepped | Result) -> Event:
    """Every event has the number of its question as `question`."""
    if isinstance(event, Guess):
        return "answer", event.to_json() | {"question": number}
    if isinstance(event, Stepped):
        return "step", {"question": number} | event.to_json()
    fields = _result(event, trace=True, drawn=True)
    return "result", fields | {"text": fields["question"], "question": number}


def _response(book: Rulebook, found: Sequence[Result], options: Options) -> dict[str, Any]:
    return {
        "sentences": [entry.to_json() for entry in book.entries],
        "results": [_result(result, options.trace, options.pictures) for result in found],
    }


def _result(result: Result, trace: bool, drawn: bool) -> dict[str, Any]:
    fields = result.to_json(trace)
    return fields | {"pictures": [*map(places, pictures(result))]} if drawn else fields


def _check(book: Rulebook, request: CheckBody) -> Check:
    """As `ibr check`: a malformed graph is invalid, an unreadable question unreadable."""
    question = ParsedQuestion.parse(request.question, book.theory)
    if question.literal is None:
        return Check(Status.UNREADABLE, question.problem)
    try:
        nodes = [node_from_json(node) for node in request.nodes]
        edges = [[node_from_json(end) for end in edge] for edge in request.edges]
        graph = Graph.of(nodes, edges)
    except ProofError as error:
        return Check(Status.INVALID, str(error))
    strategy = None if request.strategy is None else Strategy(request.strategy)
    return check(book.program, question.literal, graph, strategy, request.answer)


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()
