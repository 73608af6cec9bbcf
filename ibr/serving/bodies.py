"""JSON bodies as pydantic models: requests are validated by them, responses only described.

Unknown fields of a request are refused. The numbers of `ServerLimits` are checked elsewhere.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema

from ibr.asking.installation import QUESTION, RULES
from ibr.asking.rulebook import ObstacleKind
from ibr.prediction import Side, Verdict
from ibr.serving.limits import Fault

_NOT_BLANK = r"[^\s\x1c-\x1f]"  # a character that `str.strip` keeps


def _node(value: Any) -> int | str:
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
_Question = Annotated[
    str,
    Field(description="A statement or a yes-no question.", pattern=_NOT_BLANK, examples=[QUESTION]),
]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Options(_Body):
    beams: Annotated[int, Field(ge=1, description="Paths in the model's beam.")] = 8
    trace: Annotated[bool, Field(description="Add the model's proofs with their steps.")] = False
    pictures: Annotated[bool, Field(description="Add the layout of every proof found.")] = False


class ReadBody(_Body):
    rules: _Rules
    world: Annotated[
        Literal["closed", "open"],
        Field(description='open: "not" in a condition has to be shown; closed: nothing shows it.'),
    ] = "closed"


class ProveBody(ReadBody):
    questions: Annotated[list[_Question], Field(min_length=1)]
    options: Options = Options()


class CheckBody(ReadBody):
    question: _Question
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


class SentenceBody(BaseModel):
    index: int
    line: int
    text: str
    kind: Literal["fact", "rule", "remark", "unknown"]
    reading: str | None
    others: list[str]
    choices: list[str]
    reason: str | None
    unmet: list[str]


class StepBody(BaseModel):
    parent: int
    child: int | Literal["NAF", "END"]
    parents: list[_Share]
    children: list[_Share]


class FoundProofBody(BaseModel):
    score: float
    nodes: list[_Node]
    edges: list[_Pair]
    steps: list[StepBody]


class BoxBody(BaseModel):
    key: str
    role: Literal["question", "fact", "rule", "naf", "fail"]
    node: str
    tag: str
    lines: list[str]
    detail: list[str]
    x: float
    y: float
    width: float
    height: float


class EdgeBody(BaseModel):
    source: str
    target: str
    path: str


class PictureBody(BaseModel):
    width: float
    height: float
    verdict: str
    badge: str
    boxes: list[BoxBody]
    edges: list[EdgeBody]


class RepairBody(BaseModel):
    fact: str
    contradicts: list[str]


class ObstacleBody(BaseModel):
    kind: ObstacleKind
    why: str
    choices: list[str]
    action: Literal["add", "replace"] | None
    sentence: int | None
    line: int | None
    text: str | None


class NotUsedBody(BaseModel):
    remarks: list[int]
    unread: list[int]
    comments: list[int]


class GuessBody(BaseModel):
    answer: bool
    confidence: float


class ContraryBody(BaseModel):
    nodes: list[_Node]
    edges: list[_Pair]
    explanation: list[str]


class ResultBody(BaseModel):
    """The fields of `ibr prove --json`."""

    id: str
    question: str
    reading: str | None
    verdict: Verdict
    answer: bool | None
    strategy: Literal["proof", "fail-proof"] | None
    fine_strategy: str | None
    length: int | None
    nodes: list[_Node] | None
    edges: list[_Pair] | None
    depth: int | None
    unreadable: list[int]
    reasoner: str
    source: Literal["model", "model+checked", "solver"] | None
    checked: Literal["valid", "invalid", "unreadable"]
    check_reason: str | None
    obstacle: ObstacleBody | None
    guess: GuessBody | None
    by: str | None
    confidence: float | None
    contradiction: bool
    contrary: ContraryBody | None
    partial: bool
    not_used: NotUsedBody
    explanation: list[str]
    repairs: list[RepairBody] | None
    probability: float | None = None
    proof_probability: float | None = None
    chosen: int | None = None
    proofs: list[FoundProofBody] | None = None
    pictures: list[PictureBody] | None = None


class ProveResponse(BaseModel):
    sentences: list[SentenceBody]
    results: list[ResultBody]


class ReadResponse(BaseModel):
    sentences: list[SentenceBody]
    suggestions: list[str]


class CheckResponse(BaseModel):
    status: Literal["valid", "invalid", "unreadable"]
    shows: Side | None
    where: int | str | list[int | str] | None
    why: str | None
    redundant: list[_Node]
    redundant_edges: list[_Pair]


class ErrorBody(BaseModel):
    detail: list[Fault]


def errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may end with these status codes."""
    return {code: {"model": ErrorBody, "description": MEANING[code]} for code in codes}


MEANING = {
    408: "The body did not arrive in time.",
    413: "The body is larger than max_body_bytes.",
    421: "The Host header has a name that is not served here.",
    422: "The request is wrong; `field`, and `sentence` and `line` give the place.",
    503: "The queue is full, or the server is stopping. Try again after Retry-After seconds.",
    504: "Not answered within request_timeout_s.",
}
