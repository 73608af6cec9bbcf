"""Writes NatLang directories as RuleTaker publishes them: one running text, proofs in names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from ibr.data.formats.example import Example
from ibr.data.formats.pararules import Paraphrased
from ibr.data.formats.proof_string import NAF_NAME, write_clause, write_literal
from ibr.logic.clause import Clause, Literal, Sign, is_variable
from ibr.logic.surface import templates
from ibr.proof import NAF, Tree
from ibr.theory import Strategy

Asked = tuple[Paraphrased, list[Example]]


def write_natlang(folder: Path, split: str, asked: Iterable[Asked]) -> None:
    pairs = [(_record(*one), _meta(*one)) for one in asked]
    for name, lines in ((split, [r for r, _ in pairs]), (f"meta-{split}", [m for _, m in pairs])):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def _record(theory: Paraphrased, examples: list[Example]) -> dict[str, Any]:
    questions = [
        {"id": e.id, "text": e.question, "label": e.answer, "meta": {**_labels(e), "Qid": f"Q{k}"}}
        for k, e in enumerate(examples, start=1)
    ]
    meta = {"sentenceScramble": list[int]()}
    text = theory.theory.text
    return {"id": theory.record_id, "context": text, "meta": meta, "questions": questions}


def _meta(theory: Paraphrased, examples: list[Example]) -> dict[str, Any]:
    parts = {
        name: {"text": templates.write_clause(clause), "representation": write_clause(clause)}
        for row in theory.rows
        for name, clause in zip(row.components, row.clauses, strict=True)
    }
    source = examples[0].source
    return {
        "id": theory.record_id,
        "maxD": source and source.max_depth,
        "triples": {name: part for name, part in parts.items() if name.startswith("triple")},
        "rules": {name: part for name, part in parts.items() if name.startswith("rule")},
        "questions": {
            f"Q{k}": {
                "question": e.question,
                "answer": e.answer,
                **_labels(e),
                "proofs": _named(theory, e),
                "representation": write_literal(_literal(e)),
            }
            for k, e in enumerate(examples, start=1)
        },
    }


def _labels(example: Example) -> dict[str, Any]:
    length = "" if example.length is None else example.length
    return {"QDep": example.depth, "QLen": length, "strategy": example.fine_strategy}


def _literal(example: Example) -> Literal:
    assert example.literal is not None
    return example.literal


def _named(theory: Paraphrased, example: Example) -> str:
    literal, proofs = _literal(example), example.proofs or ()
    if example.strategy is Strategy.FAIL_PROOF:
        rules = [theory.rows[tree.node].components[0] for tree in proofs[0]]
        sentence, chain = templates.write_literal(literal.atom), " <- ".join([*rules, "FAIL"])
        return f"[@{len(rules)}: {sentence}[CWA. Example of deepest failure = ({chain})]]"
    goal = literal if example.answer else literal.negation
    trees = [_name_tree(proof.root, goal, theory) for proof in proofs if proof.root]
    return f"[({' OR '.join(tree for tree in trees if tree)})]"


def _name_tree(tree: Tree, goal: Literal, theory: Paraphrased) -> str | None:
    """The proof of `goal` in names: each node by the component whose clause concludes the goal."""
    if tree.node == NAF:
        return NAF_NAME if goal.sign is Sign.NAF else None
    row = theory.rows[tree.node]
    for name, clause in zip(row.components, row.clauses, strict=True):
        if len(clause.body) != len(tree.premises):
            continue
        for bound in _instances(clause, goal, sorted(theory.program.entities)):
            pairs = zip(tree.premises, bound.body, strict=True)
            premises = [_name_tree(premise, condition, theory) for premise, condition in pairs]
            if None not in premises:
                return f"(({' '.join(filter(None, premises))}) -> {name})" if premises else name
    return None


def _instances(clause: Clause, goal: Literal, entities: list[str]) -> Iterator[Clause]:
    """The instances of a clause that conclude `goal`."""
    terms = ((clause.head.subject, goal.subject), (clause.head.object, goal.object))
    binding = {term: value for term, value in terms if is_variable(term)}
    if clause.head.bind(binding) == goal:
        free = sorted(clause.variables - binding.keys())
        for values in product(entities, repeat=len(free)):
            yield clause.bind({**binding, **dict(zip(free, values, strict=True))})
