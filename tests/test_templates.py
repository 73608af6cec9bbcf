"""RuleTaker's templates: real files read and written back word for word, and any vocabulary."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibr.logic.clause import Clause, Literal, Name, Sign
from ibr.logic.reading import Form, Phrasing, Style
from ibr.logic.surface.templates import can_be_bare, parse, write_clause, write_literal
from ibr.logic.surface.wording import base_form, third_person
from ibr.theory import Kind

NAMES = st.sampled_from(["Anne", "Bob", "Xiomara", "Mary Lou", "Xi Zorp"])
NOUNS = st.sampled_from(["cat", "bald eagle", "light bulb", "bus", "boss", "walrus", "cross-bow"])
ADJECTIVES = st.sampled_from(["red", "kind", "on", "well-read", "glowing", "zorpy"])
CLASSES = st.sampled_from(["bird", "ostrich", "engineer"])
VERBS = st.sampled_from(
    [
        *("likes", "has", "chases", "goes", "watches", "carries", "buzzes", "passes", "fixes"),
        *("ties", "uses", "focuses", "enjoys", "runs through", "looks after", "reports to"),
    ]
)
ATTRIBUTES = ADJECTIVES.map(lambda a: Name(a, a)) | CLASSES.map(
    lambda c: Name(c, f"{'an' if c[0] in 'aeiou' else 'a'} {c}")
)
ENTITIES = NAMES.map(Name) | NOUNS.map(Name)


def literals(subjects: st.SearchStrategy[str], signs: list[Sign]) -> st.SearchStrategy[Literal]:
    sign = st.sampled_from(signs)
    return (
        st.builds(Literal, subjects, st.just("is"), ATTRIBUTES, sign)
        | st.builds(Literal, subjects, VERBS, ENTITIES, sign)
        | st.builds(Literal, subjects, st.sampled_from(["can fly", "can swim"]), st.just(""), sign)
    )


HEAD_SIGNS = [Sign.POSITIVE, Sign.NEGATIVE]
ANYONE = ENTITIES | st.just("?x")


@st.composite
def rules(draw: st.DrawFn) -> tuple[Clause, Phrasing]:
    body = draw(
        st.lists(literals(ANYONE, [Sign.POSITIVE, Sign.NAF]), min_size=1, max_size=4, unique=True)
    )
    bound = any(literal.subject == "?x" for literal in body)
    clause = Clause(draw(literals(ANYONE if bound else ENTITIES, HEAD_SIGNS)), tuple(body))
    forms = list(Form) if can_be_bare(clause) else [Form.IF]
    if any(" " in getattr(lit.object, "surface", "") for lit in body):
        forms = [Form.IF]
    return clause, Phrasing(draw(st.sampled_from(forms)), draw(st.sampled_from(list(Style))))


@settings(deadline=None)  # the first name that nobody knows loads the dictionary
@given(literals(ENTITIES, HEAD_SIGNS))
def test_facts_of_any_vocabulary_round_trip(literal: Literal) -> None:
    text = write_literal(literal)
    reading = parse(text)
    assert reading is not None, text
    assert (reading.kind, reading.clauses) == (Kind.FACT, (Clause(literal),))


@settings(deadline=None)
@given(rules())
def test_rules_of_any_vocabulary_round_trip(rule: tuple[Clause, Phrasing]) -> None:
    clause, phrasing = rule
    text = write_clause(clause, phrasing)
    reading = parse(text)
    assert reading is not None, text
    assert (reading.kind, reading.clauses) == (Kind.RULE, (clause,))
    assert reading.phrasing is not None
    assert write_clause(clause, reading.phrasing) == text


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("The switch is on.", Clause(Literal("switch", "is", "on"))),
        ("Dave is not an ostrich.", Clause(Literal("Dave", "is", "ostrich", Sign.NEGATIVE))),
        ("Arthur cannot fly.", Clause(Literal("Arthur", "can fly", "", Sign.NEGATIVE))),
        (
            "If someone is a bird and not abnormal then they can fly.",
            Clause(
                Literal("?x", "can fly", ""),
                (Literal("?x", "is", "bird"), Literal("?x", "is", "abnormal", Sign.NAF)),
            ),
        ),
        (
            "If something is kind and it does not see the dog then the dog runs through the gate.",
            Clause(
                Literal("dog", "runs through", "gate"),
                (Literal("?x", "is", "kind"), Literal("?x", "sees", "dog", Sign.NAF)),
            ),
        ),
        (
            "Red, cold things are not round.",
            Clause(
                Literal("?x", "is", "round", Sign.NEGATIVE),
                (Literal("?x", "is", "red"), Literal("?x", "is", "cold")),
            ),
        ),
    ],
)
def test_examples(text: str, clause: Clause) -> None:
    reading = parse(text)
    assert reading is not None
    assert reading.clauses == (clause,)


@pytest.mark.parametrize(
    "text",
    [
        "Rex is a friendly dog.",
        "Tom is on probation.",
        "Most people are kind.",
        "Everyone is kind.",
        "The cat likes milk.",
        "Tom is usually kind.",
        "Birds are kind.",
        "If someone is kind, then they are nice.",
        "If Anne is kind and nice then Anne is big.",
        "If someone is kind then someone is nice.",
        "It is red.",
        "Is Tom kind?",
        "The cost of the ticket.",
        "Tom is",
        "",
        "If X likes Y then Y likes X.",
        "The guest laptop can't access the file server.",
        "The cat likes the dogs.",
        "Smoking is bad.",
        "French people are kind.",
        "Big Dave is kind.",
        "Interestingly, kind people are nice.",
        "The number of guests is limited.",
    ],
)
def test_other_english_is_left_alone(text: str) -> None:
    assert parse(text) is None


def test_third_person_and_base_are_inverse_on_the_lexicon() -> None:
    from lemminflect import getAllInflections
    from lemminflect.config import inflection_lu_fn

    with gzip.open(inflection_lu_fn, "rt", encoding="utf-8") as lines:
        rows = [line.split(",") for line in lines]
    bases = [row[0] for row in rows if row[1] == "verb" and row[0] not in ("be", "have")]
    assert len(bases) > 6000
    spelled_as_another = {"ax", "annexe", "psych", "whizz"}
    for base in set(bases) - spelled_as_another:
        assert base_form(third_person(base)) == base
    agree = [third_person(b) in getAllInflections(b, "VERB").get("VBZ", ()) for b in bases]
    assert sum(agree) / len(agree) > 0.99


def real_sentences(folder: Path) -> Iterator[str]:
    for name in ("birds-electricity/test.jsonl", "depth-5-dev-slice/dev.jsonl"):
        with (folder / name).open(encoding="utf-8-sig") as lines:
            for line in lines:
                theory = json.loads(line)
                yield from (s.strip() for s in re.findall(r"[^.]+\.", theory["context"]))
                yield from (question["text"] for question in theory["questions"])
    for path in sorted((folder / "pararules").glob("*.tsv")):
        with path.open(encoding="utf-8-sig") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield from (s.strip() for s in re.findall(r"[^.]+\.", row["OrigSentences"]))


def test_every_real_sentence_reads_and_is_written_back(real_data: Path) -> None:
    sentences = set(real_sentences(real_data))
    assert len(sentences) > 2000
    for text in sentences:
        reading = parse(text)
        assert reading is not None, text
        (clause,) = reading.clauses
        assert write_clause(clause, reading.phrasing) == text


LITERAL = re.compile(r'\("([^"]*)" "([^"]*)" "([^"]*)" "([+~-])"\)')


def from_file(representation: str) -> Clause:
    """The file's own logic in our keys: no articles, one variable name, "can fly" for Var2."""
    found = [
        Literal(
            "?x" if subject in ("someone", "something") else subject,
            relation,
            re.sub("^an? ", "", object_),
            Sign(sign),
        )
        for subject, relation, object_, sign in LITERAL.findall(representation)
    ]
    return Clause(found[-1], tuple(found[:-1]))


def flying(literal: Literal) -> Literal:
    """Var2 of the Birds files writes "can fly" and stores "is flying"."""
    if literal.relation != "can fly":
        return literal
    return literal._replace(relation="is", object="flying")


def test_the_files_own_logic_agrees(real_data: Path) -> None:
    path = real_data / "birds-electricity" / "meta-test.jsonl"
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        theory = json.loads(line)
        for item in [*theory["triples"].values(), *theory["rules"].values()]:
            reading = parse(item["text"])
            assert reading is not None
            ((head, body),) = reading.clauses
            mine = Clause(flying(head), tuple(map(flying, body)))
            assert mine == from_file(item["representation"])
