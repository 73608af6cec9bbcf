"""One small record of RuleTaker's two files, and folders made of such records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECORD: dict[str, Any] = {
    "id": "AttNeg-D1-1",
    "context": "All big things are kind. Bob is big. If Bob is kind and not red then Bob is ill.",
    "meta": {"sentenceScramble": [2, 1, 3]},
    "questions": [
        {
            "id": "AttNeg-D1-1-1",
            "text": "Bob is kind.",
            "label": True,
            "meta": {"QDep": 1, "QLen": 2, "strategy": "proof", "Qid": "Q1"},
        },
        {
            "id": "AttNeg-D1-1-2",
            "text": "Bob is not red.",
            "label": True,
            "meta": {"QDep": 0, "QLen": "", "strategy": "inv-random", "Qid": "Q2"},
        },
    ],
}
META: dict[str, Any] = {
    "id": "AttNeg-D1-1",
    "maxD": 2,
    "NFact": 1,
    "NRule": 2,
    "triples": {
        "triple1": {"text": "Bob is big.", "representation": '("Bob" "is" "big" "+")'},
    },
    "rules": {
        "rule1": {
            "text": "All big things are kind.",
            "representation": '((("something" "is" "big" "+")) -> ("something" "is" "kind" "+"))',
        },
        "rule2": {
            "text": "If Bob is kind and not red then Bob is ill.",
            "representation": '((("Bob" "is" "kind" "+") ("Bob" "is" "red" "~"))'
            ' -> ("Bob" "is" "ill" "+"))',
        },
    },
    "questions": {
        "Q1": {
            "question": "Bob is kind.",
            "answer": True,
            "QDep": 1,
            "QLen": 2,
            "strategy": "proof",
            "proofs": "[(((triple1) -> rule1))]",
            "representation": '("Bob" "is" "kind" "+")',
        },
        "Q2": {
            "question": "Bob is not red.",
            "answer": True,
            "QDep": 0,
            "QLen": "",
            "strategy": "inv-random",
            "proofs": "[@0: Bob is red.[CWA. Example of deepest failure = (FAIL)]]",
            "representation": '("Bob" "is" "red" "-")',
        },
    },
    "allProofs": "@0: Bob is big.[(triple1)] @1: Bob is kind.[(((triple1) -> rule1))]",
}


def copy(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(record))
    return found


def save(folder: Path, records: list[Any], metas: list[Any] | None = None) -> Path:
    for name, lines in (("dev.jsonl", records), ("meta-dev.jsonl", metas)):
        if lines is not None:
            text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def renamed(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    record, meta = copy(RECORD), copy(META)
    record["id"] = meta["id"] = name
    for k, question in enumerate(record["questions"], start=1):
        question["id"] = f"{name}-{k}"
    return record, meta
