"""Proofs from files, checked; and checks as JSON and in words. The checker is `verifier`."""

from pathlib import Path
from typing import Any

from ibr.data.formats.exchange import graph_of
from ibr.data.formats.jsonl import at_line, parse_line, take
from ibr.logic.checking.verifier import Check, check
from ibr.logic.clause import Program
from ibr.logic.language import read_question
from ibr.logic.reading import ReadError
from ibr.logic.solver_reasoner import Read
from ibr.prediction import Prediction, Status
from ibr.proof import NAF, edges_to_json, node_to_json, nodes_to_json
from ibr.theory import Problem, Strategy


def check_text(program: Program, question: str, proof: str, file: str) -> Check:
    """Check the JSON text of a proof, as `ibr solve --json` writes it, or nodes and edges alone."""
    with at_line(Path(file), 1, None):
        record = parse_line(proof, file, 1)
        strategy = take(record, "strategy", Strategy, None)
        answer = take(record, "answer", bool, None)
        graph = graph_of(record)
    return check(program, read_question(question), graph, strategy, answer)


def check_prediction(problem: Problem, prediction: Prediction, read: Read) -> Check | None:
    """None if the system gave no proof."""
    if prediction.graph is None:
        return None
    try:
        program, question = read(problem)
    except ReadError as error:
        return Check(Status.UNREADABLE, str(error))
    return check(program, question, prediction.graph, prediction.strategy, prediction.answer)


def check_to_json(found: Check | None) -> dict[str, Any]:
    """`where` is a node, an edge or null; `status` is null where there was nothing to check."""
    if found is None:
        nothing = dict.fromkeys(("status", "shows", "where", "why"))
        return {**nothing, "redundant": [], "redundant_edges": []}
    where: Any = found.where
    if where is not None:
        edge = isinstance(where, tuple)
        where = [*map(node_to_json, where)] if edge else node_to_json(where)
    return {
        "status": found.status,
        "shows": found.side,
        "where": where,
        "why": found.why or None,
        "redundant": nodes_to_json(found.redundant),
        "redundant_edges": edges_to_json(found.redundant_edges),
    }


def check_in_words(found: Check) -> str:
    """`invalid at [3]: ...`; sentences are numbered from 1 here, as people count."""
    where, place = found.where, ""
    if where is not None:
        cited = where if isinstance(where, tuple) else (where,)
        place = f" at {' -> '.join(map(_cite, cited))}"
    why = f": {found.why}" if found.why else ""
    unused = ", ".join(map(_cite, sorted(found.redundant)))
    return f"{found.status}{place}{why}{f' (not needed: {unused})' if unused else ''}"


def _cite(node: int) -> str:
    return "NAF" if node == NAF else f"[{node + 1}]"
