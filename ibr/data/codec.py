"""Proofs and logic as plain JSON values, for our own lines. Every pair is an exact inverse.

Tree(4, (Tree(0), Tree(NAF)))        [4, 0, "NAF"]        (a leaf is its node)
Literal("Bob", "is", "kind")         ["Bob", "is", "kind", "+"]
Name("badge", "a badge")             {"badge": "a badge"}  (a wording that is not the usual one)
"""

from __future__ import annotations

from typing import Any

from ibr.data.jsonl import as_list, as_object
from ibr.logic.clause import Clause, Literal, Name, Program, Sign
from ibr.proof import Proof, Tree, node_from_json, node_to_json
from ibr.theory import Strategy


def proof_to_json(proof: Proof) -> dict[str, Any]:
    root = None if proof.root is None else _tree_to_json(proof.root)
    return {"strategy": proof.strategy, "tree": root}


def proof_from_json(value: Any) -> Proof:
    tree = as_object(value).get("tree")
    root = None if tree is None else _tree_from_json(tree)
    return Proof(Strategy(value.get("strategy")), root)


def _tree_to_json(tree: Tree) -> Any:
    node = node_to_json(tree.node)
    return [node, *map(_tree_to_json, tree.premises)] if tree.premises else node


def _tree_from_json(value: Any) -> Tree:
    if not isinstance(value, list):
        return Tree(node_from_json(value))
    if not value:
        raise ValueError("an empty list is not a proof step")
    return Tree(node_from_json(value[0]), tuple(map(_tree_from_json, value[1:])))


def literal_to_json(literal: Literal) -> list[Any]:
    terms = (_term_to_json(term) for term in (literal.subject, literal.relation, literal.object))
    return [*terms, literal.sign]


def literal_from_json(value: Any) -> Literal:
    parts = as_list(value)
    if len(parts) != 4:
        raise ValueError(f"a literal is [subject, relation, object, sign], found {value!r:.60}")
    subject, relation, obj = map(_term_from_json, parts[:3])
    return Literal(subject, relation, obj, Sign(parts[3]))


def _term_to_json(term: str) -> str | dict[str, str]:
    if isinstance(term, Name) and term.surface != Name(term).surface:
        return {str(term): term.surface}
    return str(term)


def _term_from_json(value: Any) -> str:
    if isinstance(value, str):
        return value
    terms = list(as_object(value).items())
    if len(terms) != 1 or not isinstance(terms[0][1], str):
        raise ValueError(f"a name is a text or {{key: wording}}, found {value!r:.60}")
    return Name(*terms[0])


def program_to_json(program: Program) -> list[list[Any] | None]:
    """Per sentence its clauses, each `[head, condition, ...]`; null where it could not be read."""
    return [
        [[literal_to_json(lit) for lit in (clause.head, *clause.body)] for clause in clauses]
        if index not in program.unreadable
        else None
        for index, clauses in enumerate(program.said)
    ]


def program_from_json(numbers: tuple[int, ...], value: Any) -> Program:
    sentences = as_list(value)
    said = tuple(tuple(map(_clause_from_json, as_list(s or []))) for s in sentences)
    return Program(said, numbers, tuple(i for i, s in enumerate(sentences) if s is None))


def _clause_from_json(value: Any) -> Clause:
    literals = tuple(map(literal_from_json, as_list(value)))
    if not literals:
        raise ValueError("a clause needs a head")
    return Clause(literals[0], literals[1:])
