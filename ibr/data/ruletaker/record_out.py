"""Examples of one theory → its records in RuleTaker's two files. The inverse of `record_in`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ibr.data.example import Example
from ibr.data.logic_string import write_clause, write_literal
from ibr.data.proof_string import Failed, Names, ProofStringError, Proved
from ibr.data.ruletaker.naming import name_proofs
from ibr.logic import templates
from ibr.logic.clause import Literal, Program
from ibr.theory import Kind, Strategy, Theory

_PERSON: Final = re.compile(r"\b(someone|people|they)\b", re.IGNORECASE)


def write_record(examples: Sequence[Example]) -> dict[str, Any]:
    """The line of `X.jsonl` for questions about one theory."""
    first = examples[0]
    kept = first.source.extra if first.source else {}
    meta: dict[str, Any] = {}
    scramble = kept.get("sentenceScramble", _scramble(first.theory))
    if scramble is not None:
        meta["sentenceScramble"] = scramble
    return {
        "id": first.theory_id,
        "context": kept.get("context", first.theory.text),
        "meta": {**meta, **kept.get("record.meta", {})},
        "questions": [_question(k, example) for k, example in enumerate(examples, start=1)],
        **kept.get("record", {}),
    }


def write_meta(examples: Sequence[Example]) -> dict[str, Any] | None:
    """The line of `meta-X.jsonl`; None where the logic of theory or questions is not known."""
    first = examples[0]
    program = first.program
    if program is None or any(example.literal is None for example in examples):
        return None
    names = names_of(first)
    kept = first.source.extra if first.source else {}
    parts = _components(first, names, kept.get("texts", {}))
    facts = {name: part for name, part in parts.items() if name.startswith("triple")}
    rules = {name: part for name, part in parts.items() if name.startswith("rule")}
    record: dict[str, Any] = {"id": first.theory_id}
    if first.source and first.source.max_depth is not None:
        record["maxD"] = first.source.max_depth
    record.update(NFact=len(facts), NRule=len(rules), triples=facts, rules=rules)
    positives = positive_texts(examples)
    record["questions"] = {
        _name(k, example): _meta_question(example, names, positives)
        for k, example in enumerate(examples, start=1)
    }
    if first.source and first.source.all_proofs is not None:
        record["allProofs"] = first.source.all_proofs
    return {**record, **kept.get("meta", {})}


def names_of(example: Example) -> Names:
    """What the files call the sentences of this theory."""
    if example.source and example.source.components is not None:
        return Names(example.source.components)
    return Names.of_theory(example.theory)


def positive_texts(examples: Sequence[Example]) -> Mapping[Literal, str]:
    """How the positive questions of a theory are worded."""
    return {e.literal: e.question for e in examples if e.literal and e.literal.positive}


def failure_sentence(example: Example, positives: Mapping[Literal, str]) -> str:
    """The positive statement that a failure to answer this question is about."""
    literal = example.literal
    if literal is None or literal.positive:
        return example.question
    return positives.get(literal.atom) or templates.write_literal(literal.atom)


def _scramble(theory: Theory) -> list[int]:
    """Place of each sentence among the components: facts first, then rules, each by number."""
    known = all(sentence.kind in (Kind.FACT, Kind.RULE) for sentence in theory)

    def component(index: int) -> tuple[bool, int]:
        return (known and theory[index].kind is Kind.RULE, theory.numbers[index])

    order = sorted(range(len(theory)), key=component)
    places = {index: place for place, index in enumerate(order, start=1)}
    return [places[index] for index in range(len(theory))]


def _labels(example: Example) -> dict[str, Any]:
    """QDep, QLen and strategy, shared by both files; absent where nobody said."""
    kept = example.extra
    strategy = example.fine_strategy
    labels = {
        "QDep": kept.get("QDep", example.depth),
        "QLen": kept.get("QLen", "" if example.length is None else example.length),
        "strategy": kept.get("strategy", strategy and strategy.value),
    }
    return {key: value for key, value in labels.items() if value is not None}


def _name(k: int, example: Example) -> str:
    return str(example.extra.get("Qid", f"Q{k}"))


def _question(k: int, example: Example) -> dict[str, Any]:
    kept = example.extra
    return {
        "id": example.id,
        "text": example.question,
        "label": example.answer,
        "meta": {**_labels(example), "Qid": _name(k, example), **kept.get("question.meta", {})},
        **kept.get("question", {}),
    }


def _meta_question(
    example: Example, names: Names, positives: Mapping[Literal, str]
) -> dict[str, Any]:
    assert example.literal is not None
    record = {"question": example.question, "answer": example.answer, **_labels(example)}
    if example.proofs:
        said = _named(example, names, failure_sentence(example, positives))
        if isinstance(said, Failed) and "failed" in example.extra:
            depth, sentence = example.extra["failed"]
            said = Failed(depth, sentence, said.rules)
        record["proofs"] = str(said)
    record["representation"] = write_literal(example.literal)
    return {**record, **example.extra.get("meta", {})}


def _named(example: Example, names: Names, sentence: str) -> Proved | Failed:
    """The example's proofs in names; `sentence` is what a failure is about."""
    assert example.proofs is not None
    assert example.literal is not None
    assert example.program is not None
    if example.proofs[0].strategy is Strategy.FAIL_PROOF:
        return names.of_proofs(example.proofs, sentence)
    goal = example.literal if example.answer else example.literal.negation
    try:
        return name_proofs(example.proofs, goal, names, example.program)
    except ProofStringError as error:
        raise ValueError(f"{example.id}: {error}") from None


def component_texts(theory: Theory, names: Names, program: Program) -> dict[str, str]:
    """How each component is worded: as its sentence, or by template if it shares the sentence."""
    texts: dict[str, str] = {}
    for sentence, held, clauses in zip(theory, names.components, program.said, strict=True):
        if len(held) == 1:
            texts[held[0]] = sentence.text
        else:
            texts.update(zip(held, map(templates.write_clause, clauses), strict=True))
    return texts


def _components(
    example: Example, names: Names, worded: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Every triple and rule by name, facts first, in the order of their numbers."""
    assert example.program is not None
    said = example.program.said
    for index, (held, clauses) in enumerate(zip(names.components, said, strict=True)):
        if len(clauses) != len(held):
            raise ValueError(
                f"{example.theory_id}: sentence {index} says {len(clauses)} clauses and is "
                f"{len(held)} component(s): RuleTaker's files need one each"
            )
    texts = {**component_texts(example.theory, names, example.program), **worded}
    variable = "someone" if _PERSON.search(example.theory.text) else "something"
    parts = {
        name: {"text": texts[name], "representation": write_clause(clause, variable)}
        for held, clauses in zip(names.components, said, strict=True)
        for name, clause in zip(held, clauses, strict=True)
    }
    return dict(sorted(parts.items(), key=lambda item: _rank(item[0])))


def _rank(name: str) -> tuple[bool, int]:
    return (name.startswith("rule"), int(name.removeprefix("triple").removeprefix("rule")))
