"""What goes in and out as JSON, for checking requests and for the OpenAPI description.

Requests are checked by these; answers are made by the library and only described here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
)

from ibr.doctor import QUESTION, RULES

_TEXT = r"[^\s\x1c-\x1f]"  # something that is no white space, as Python has it


def _whole(value: Any) -> Any:
    """2.0 is a whole number in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _node(value: Any) -> int | str:
    value = _whole(value)
    if value == "NAF" or (type(value) is int and value >= 0):
        return value  # type: ignore[no-any-return]
    raise ValueError('a node is the index of a sentence, from 0, or "NAF"')


_Node = Annotated[
    int | str,
    PlainValidator(_node),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"const": "NAF"}]}),
]
_Pair = Annotated[list[_Node], Field(min_length=2, max_length=2)]
_Share = Annotated[list[int | str | float], Field(min_length=2, max_length=2)]
_Rules = Annotated[str, Field(description="Facts and rules in plain English.", examples=[RULES])]
_Asked = Annotated[
    str,
    Field(description="A statement or a yes-no question.", pattern=_TEXT, examples=[QUESTION]),
]


class _Body(BaseModel):
    """Unknown fields are refused. The numbers of `Limits` are checked and described elsewhere."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Options(_Body):
    beams: Annotated[
        int, Field(ge=1, description="Proofs that the model follows."), BeforeValidator(_whole)
    ] = 8
    trace: Annotated[bool, Field(description="All proofs found, with what each step weighed.")] = (
        False
    )
    pictures: Annotated[bool, Field(description="Every proof found, laid out to be drawn.")] = False


class ProveBody(_Body):
    rules: _Rules
    questions: Annotated[list[_Asked], Field(min_length=1)]
    options: Options = Options()


class ReadBody(_Body):
    rules: _Rules


class CheckBody(_Body):
    rules: _Rules
    question: _Asked
    nodes: Annotated[
        list[_Node],
        Field(description="Sentences, counted from 0, and NAF.", examples=[[0, 1, "NAF"]]),
    ]
    edges: Annotated[
        list[_Pair],
        Field(description="[premise, rule] pairs.", examples=[[[0, 1], ["NAF", 1]]]),
    ]
    strategy: Literal["proof", "fail-proof"] | None = None
    answer: bool | None = None


class Sentence(BaseModel):
    index: int
    line: int
    text: str
    kind: Literal["fact", "rule", "remark", "unknown"]
    reading: str | None
    reason: str | None
    rewrite: str | None


class Step(BaseModel):
    parent: int
    child: int | Literal["NAF", "END"]
    parents: list[_Share]
    children: list[_Share]


class FoundProof(BaseModel):
    score: float
    nodes: list[_Node]
    edges: list[_Pair]
    steps: list[Step]


class Box(BaseModel):
    key: str
    role: Literal["question", "fact", "rule", "naf", "fail"]
    node: str
    tag: str
    lines: list[str]
    x: float
    y: float
    width: float
    height: float


class Edge(BaseModel):
    source: str
    target: str
    path: str


class PlacedPicture(BaseModel):
    width: float
    height: float
    verdict: str
    badge: str
    boxes: list[Box]
    edges: list[Edge]


class RepairFact(BaseModel):
    fact: str
    contradicts: list[str]


class Result(BaseModel):
    """The fields of `ibr prove --json`."""

    id: str
    question: str
    reading: str | None
    answer: bool
    strategy: Literal["proof", "fail-proof"] | None
    nodes: list[_Node] | None
    edges: list[_Pair] | None
    depth: int | None
    unreadable: list[int]
    reasoner: str
    source: Literal["model", "model+checked", "solver"] | None
    checked: Literal["valid", "invalid", "unreadable"]
    check_reason: str | None
    confidence: float | None
    contradiction: bool
    explanation: list[str]
    repairs: list[RepairFact] | None
    probability: float | None = None
    proof_probability: float | None = None
    chosen: int | None = None
    proofs: list[FoundProof] | None = None
    pictures: list[PlacedPicture] | None = None


class ProveAnswer(BaseModel):
    sentences: list[Sentence]
    results: list[Result]


class ReadAnswer(BaseModel):
    sentences: list[Sentence]
    suggestions: list[str]


class CheckAnswer(BaseModel):
    status: Literal["valid", "invalid", "unreadable"]
    where: int | str | list[int | str] | None
    why: str | None
    redundant: list[_Node]
    redundant_edges: list[_Pair]


class Example(BaseModel):
    name: str
    title: str
    rules: str
    questions: list[str]


class FaultBody(BaseModel):
    field: str
    sentence: int | None
    line: int | None
    message: str


class ErrorBody(BaseModel):
    detail: list[FaultBody]


class Health(BaseModel):
    status: str


class Ready(BaseModel):
    ready: bool
    reasoner: str
    version: str


def errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may fail so."""
    return {code: {"model": ErrorBody, "description": MEANING[code]} for code in codes}


MEANING = {
    408: "The body did not arrive in time.",
    413: "The body is larger than max_body_bytes.",
    422: "Something cannot be used; the field, and the sentence where there is one, are named.",
    503: "The queue is full, or the server is stopping. Try again after Retry-After seconds.",
    504: "It was not answered within request_timeout_s.",
}
