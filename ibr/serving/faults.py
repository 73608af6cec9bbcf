"""What is wrong with a request, and where: field, sentence, line. It knows no web framework."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ibr.logic.segment import segment
from ibr.serving.limits import Limits


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a request; `sentence` counts from 0, `line` from 1."""

    field: str
    message: str
    sentence: int | None = None
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "sentence": self.sentence,
            "line": self.line,
            "message": self.message,
        }


def fault_of_rules(rules: str, limits: Limits) -> Fault | None:
    """What can be said at once: whether they are too long."""
    if len(rules) <= limits.max_context_chars:
        return None
    most = f"at most {limits.max_context_chars:,} (max_context_chars)"
    return Fault("rules", f"{len(rules):,} characters; {most}")


def fault_of_sentences(rules: str, limits: Limits) -> Fault | None:
    """Whether they are too many; long texts take a while to be divided."""
    sentences, most = segment(rules), limits.max_sentences
    if len(sentences) <= most:
        return None
    message = f"{len(sentences):,} sentences; at most {most:,} (max_sentences)"
    return Fault("rules", message, most, sentences[most].line)


class Refused(Exception):
    """A request that is not answered: the HTTP status and why."""

    def __init__(self, status: int, *faults: Fault, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, *(fault.message for fault in faults))
        self.status, self.faults, self.headers = status, faults, headers


def faults_of_questions(questions: Sequence[str], limits: Limits) -> list[Fault]:
    """The same for the questions, each named by its place."""
    if len(questions) > limits.max_questions:
        most = f"at most {limits.max_questions:,} (max_questions)"
        return [Fault("questions", f"{len(questions):,} questions; {most}")]
    found = [(f"questions[{n}]", fault_of_question(q, limits)) for n, q in enumerate(questions)]
    return [Fault(field, message) for field, message in found if message]


def fault_of_question(question: str, limits: Limits) -> str | None:
    if not question.strip():
        return "a question must have text"
    if len(question) > limits.max_question_chars:
        most = f"at most {limits.max_question_chars:,} (max_question_chars)"
        return f"{len(question):,} characters; {most}"
    return None


def most_nodes(limits: Limits) -> int:
    """Of a proof: every sentence, and NAF."""
    return limits.max_sentences + 1
