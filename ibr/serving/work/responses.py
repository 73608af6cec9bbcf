"""The work of the server's worker: one library call per request, its result as JSON. No HTTP.

A request is read alone; requests to prove that were quickly read are then proved together. The work
yields between texts, questions and steps of the model's search; if it is heavy, within them, too
(`turns`). Each of these steps has a budget, counted in `ibr.logic.budget`.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Final

from ibr.asking.caches import forget_models, forget_readings, give_back
from ibr.asking.installation import QUESTION, RULES
from ibr.asking.judge import VerifiedReasoner
from ibr.asking.pictures import pictures
from ibr.asking.prover import Prover
from ibr.asking.result import Result
from ibr.asking.rulebook import ParsedQuestion, Rulebook
from ibr.asking.suggestions import suggestions
from ibr.bulk.checks import check_to_json
from ibr.choices import Assumption
from ibr.decoding.events import Guess, Stepped
from ibr.decoding.proving import TooLong
from ibr.drawing.svg import places
from ibr.errors import IbrError
from ibr.logic.budget import Budget, Cancelled, OutOfWork
from ibr.logic.checking.verifier import Check, check
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.logic.surface.segment import comment_lines, segment
from ibr.logic.turns import in_turns
from ibr.prediction import Status
from ibr.proof import Graph, ProofError, node_from_json
from ibr.serving.bodies import CheckBody, Options, ProveBody, ReadBody
from ibr.serving.limits import Fault, RequestError, ServerLimits, internal_error
from ibr.serving.work.queued import QueuedJob, Steps
from ibr.theory import Strategy

Event = tuple[str, dict[str, Any]]
_MAX_CACHED: Final = 250_000  # characters of rules, about 10 MB of readings
_STEPS_PER_CHARACTER: Final = 50  # of a text that is hard to read: it counts as a longer one
_LIGHT: Final = 25_000  # steps, 0.1 s: what needs more is heavy, and never in a batch with others
_WHOLE: Final = 250_000  # steps, 1 s: one step of a batch
_MANY: Final = 10_000  # groundings, likewise; the solver's caches may then be large


class Answers:
    """The work of a `Worker`: for each job the response body, or the error."""

    def __init__(self, prover: Prover, limits: ServerLimits) -> None:
        prover.max_steps, prover.max_words = limits.max_steps, limits.max_model_words
        self._prover, self._limits = prover, limits
        self._solver = Prover(SolverReasoner())
        self._cached = 0  # characters of rules since the caches were cleared

    @property
    def name(self) -> str:
        return self._prover.name

    def is_working(self) -> bool:
        """Whether it proves something simple; also loads what is loaded on first use."""
        return self._prover.prove(RULES, QUESTION).proved

    def prepare(self, job: QueuedJob) -> Steps:
        """Read one request; no results if it is to be proved in a batch, or begun anew as heavy."""
        return self._bounded([job], self._read(job), is_trial=not job.heavy)

    def __call__(self, jobs: Sequence[QueuedJob]) -> Steps:
        return self._bounded(jobs, self._prove(jobs))

    def _bounded(self, jobs: Sequence[QueuedJob], steps: Steps, is_trial: bool = False) -> Steps:
        """Each step with a budget. If a batch fails, its jobs one by one, each with its error.

        A step that is not of a heavy job has less work to do; a job that needs more is heavy, and
        begun anew. A step of a heavy job is interrupted when it is the turn of others.
        """
        failed, most = list[Exception](), _LIGHT if is_trial else _WHOLE
        is_heavy = False
        try:
            with closing(steps):
                while True:
                    is_heavy = jobs[0].heavy
                    step = partial(self._step, jobs, steps, inf if is_heavy else most)
                    results = (yield from in_turns(step)) if is_heavy else step(_never)
                    if results is not None:
                        return results
                    yield
        except Cancelled:
            return []
        except Exception as error:
            if is_heavy or len(jobs) > 1 or not isinstance(error, OutOfWork):
                failed.append(named(error))
        finally:
            self._forget()
        if len(jobs) == 1:
            jobs[0].heavy |= not failed
            if failed or is_trial:
                return failed
        results = []
        for job in jobs:
            results += yield from self._bounded([job], self._prove([job]))
        return results

    def _step(
        self, jobs: Sequence[QueuedJob], steps: Steps, most: float, pause: Callable[[], None]
    ) -> list[Any] | None:
        """The results if it is the last one."""

        limits = self._limits
        groundings = min(limits.max_groundings, _MANY if most == _LIGHT else inf)
        with Budget(min(limits.max_work, most), groundings, pause) as budget:
            try:
                next(steps)
                return None
            except StopIteration as end:
                return [*end.value]
            finally:
                self._count(jobs, budget)

    def _count(self, jobs: Sequence[QueuedJob], budget: Budget) -> None:
        if len(jobs) == 1:
            jobs[0].steps += budget.used
            jobs[0].heavy |= jobs[0].steps > _LIGHT
        self._cached += budget.used // _STEPS_PER_CHARACTER
        if budget.kept > _MANY:
            forget_models()

    def _forget(self) -> None:
        if self._cached > _MAX_CACHED:
            forget_readings()
            forget_models()  # a collection stops all threads: leave it little to look at
            gc.collect()
            give_back()
            self._cached = 0

    def _read(self, job: QueuedJob) -> Steps:
        request: ReadBody = job.request
        book = replace(self._parse(request.rules), world=Assumption(request.world))
        yield
        if isinstance(request, CheckBody):
            return [_json(check_to_json(_check(book, request)))]
        if not isinstance(request, ProveBody):
            found = suggestions(book.program, book.solver)
            return [_json({"sentences": book.to_json(), "suggestions": found})]
        for question in request.questions:
            ParsedQuestion.parse(question, book.theory)  # which is cached
            yield
        book.solver  # noqa: B018 - solves it, with a budget of its own
        yield
        job.prepared = book
        job.heavy |= len(request.rules.split()) > self._limits.max_model_words // 2
        return (yield from self._prove([job])) if job.heavy else []

    def _parse(self, rules: str) -> Rulebook:
        """422 for too many sentences, found before any is read; names the first over the limit."""
        sentences, most = segment(rules), self._limits.max_sentences
        if len(sentences) > most:
            message = f"{len(sentences):,} sentences; at most {most:,} (max_sentences)"
            raise RequestError(422, Fault("rules", message, most, sentences[most].line))
        self._cached += len(rules)
        return Rulebook.of(sentences, comment_lines(rules))

    def _prove(self, jobs: Sequence[QueuedJob], by_solver: bool = False) -> Steps:
        pairs = [(job.prepared, job.request.questions) for job in jobs]
        prover = self._solver if by_solver else self._prover
        found: list[list[dict[str, Any]]] = [[] for _ in jobs]
        try:
            for happened in prover.watch(pairs, jobs[0].request.options.beams):
                if happened:
                    place, number, event = happened
                    if isinstance(event, Result) and not jobs[place].send:
                        found[place].append(_result(event, jobs[place].request.options))
                    if send := jobs[place].send:
                        send(_event(number, event))
                yield
        except TooLong:
            if len(jobs) > 1 or self._prover.name != VerifiedReasoner.name:
                raise
            return (yield from self._prove(jobs, by_solver=True))
        return [
            b"" if job.send else _json({"sentences": book.to_json(), "results": results})
            for job, (book, _), results in zip(jobs, pairs, found, strict=True)
        ]


def _never() -> None:
    """A light step is not interrupted."""


def named(error: Exception) -> RequestError:
    """An error of the work as that of the request. What exceeded a limit names it."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, MemoryError):
        return RequestError(422, Fault("rules", "need more memory than the server may use"))
    if isinstance(error, OutOfWork):
        limit = {"steps": "max_work", "groundings": "max_groundings"}[error.limit]
        what = "steps of work" if limit == "max_work" else error.limit
        message = f"need more than {error.most:,.0f} {what} ({limit}): shorten or divide them"
        return RequestError(422, Fault("rules", message))
    if isinstance(error, TooLong):
        return RequestError(422, Fault("rules", f"{error} (max_model_words)"))
    if isinstance(error, IbrError):
        return RequestError(422, Fault("rules", str(error)))
    return internal_error(error)


def _event(number: int, event: Guess | Stepped | Result) -> Event:
    """Every event has the number of its question as `question`."""
    if isinstance(event, Guess):
        return "answer", event.to_json() | {"question": number}
    if isinstance(event, Stepped):
        return "step", {"question": number} | event.to_json()
    fields = _result(event, Options(trace=True, pictures=True))
    return "result", fields | {"text": fields["question"], "question": number}


def _result(result: Result, options: Options) -> dict[str, Any]:
    fields = result.to_json(options.trace)
    return fields | {"pictures": [*map(places, pictures(result))]} if options.pictures else fields


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
