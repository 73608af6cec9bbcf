"""Words come back from sentences as what they were; files that do not do are refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibr.data.making.shape import GenerateError
from ibr.data.making.vocabulary import class_noun, sample, vocabulary
from ibr.logic.clause import Clause, Literal, Name, Sign
from ibr.logic.reading import Form, Phrasing, Style
from ibr.logic.surface.templates import parse, write_clause
from ibr.logic.surface.wording import base_form

OPEN, RULETAKER = vocabulary("open"), vocabulary("ruletaker")
ROLES = ("names", "nouns", "adjectives", "verbs", "classes", "abilities")


def literal_of(role: str, word: str) -> Literal:
    return sample(role, base_form(word) if role == "verbs" else word)


@pytest.mark.parametrize("role", ROLES)
def test_every_bundled_word_is_read_back_from_facts_and_rules(role: str) -> None:
    for word in getattr(OPEN, role):
        literal = literal_of(role, word)
        general = literal._replace(subject="?x") if role not in ("names", "nouns") else literal
        head = Literal("?x", "is", Name("brave", "brave"))
        condition = general._replace(sign=Sign.NAF)
        for clause in (
            Clause(literal),
            Clause(literal.negation),
            Clause(head, (Literal("?x", "is", Name("calm", "calm")), condition)),
            Clause(general, (head,)),
        ):
            text = write_clause(clause, Phrasing(Form.IF, Style.PERSON))
            reading = parse(text)
            assert reading is not None, text
            assert reading.clauses == (clause,), text


def test_the_bundled_list_is_large_and_clean() -> None:
    assert len(OPEN) >= 5000
    for role in ROLES:
        words = getattr(OPEN, role)
        assert len(words) == len(set(words)) >= 150
        assert all(word.replace(" ", "").isalpha() for word in words)
    # "Ann is patient" and "Ann is a patient" would be one attribute: keys forget the article.
    assert not set(OPEN.adjectives) & set(OPEN.classes)
    assert all(word.islower() for role in ROLES[1:] for word in getattr(OPEN, role))


def test_third_persons_agree_with_the_inflection_library() -> None:
    from lemminflect import getInflection

    for verb in OPEN.verbs:
        base = base_form(verb)
        if " " not in base:
            assert verb in getInflection(base, "VBZ")


def test_nouns_and_verbs_are_what_the_inflection_library_knows_as_such() -> None:
    from lemminflect import getAllLemmas

    for role, tag in (("verbs", "VERB"), ("abilities", "VERB"), ("classes", "NOUN")):
        words = [base_form(w) if role == "verbs" else w for w in getattr(OPEN, role)]
        single = [word for word in words if " " not in word]
        known = [word for word in single if word in getAllLemmas(word).get(tag, ())]
        assert len(known) >= 0.97 * len(single)


def test_ruletaker_has_the_words_of_the_published_data() -> None:
    assert len(RULETAKER.names) == 8
    assert len(RULETAKER.nouns) == 10
    assert len(RULETAKER.verbs) == 6
    assert RULETAKER.adjectives[:10] == RULETAKER.relational_adjectives
    assert len(RULETAKER.adjectives) == 14


def folder(path: Path, **files: str) -> Path:
    for role, text in files.items():
        (path / f"{role}.txt").write_text(text, encoding="utf-8")
    return path


def test_own_files(tmp_path: Path) -> None:
    where = folder(
        tmp_path,
        names="# people\nDr Wu\n\n Zoë  \n",
        adjectives="full-time\nodd\nodd\n",
        verbs="carry\nrely on\n",
        classes="ostrich\n",
    )
    words = vocabulary(str(where))
    assert words.names == ("Dr Wu", "Zoë")
    assert words.adjectives == ("full-time", "odd")
    assert words.verbs == ("carries", "relies on")
    assert words.nouns == ()
    assert sample("classes", "ostrich").object.surface == "an ostrich"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"names": "Ann\nBob\n", "adjectives": "kind\nnot\n"}, r"adjectives\.txt:2: 'not'"),
        ({"names": "Ann\nthe cat\n", "adjectives": "kind\n"}, r"names\.txt:2: 'the cat'"),
        ({"names": "Ann\n", "adjectives": "kind\n", "verbs": "must\n"}, r"verbs\.txt:1: 'must'"),
        ({"names": "Ann\n"}, "no attributes: add adjectives"),
        ({"adjectives": "kind\n"}, "no entities: add names"),
    ],
)
def test_bad_files(tmp_path: Path, files: dict[str, str], complaint: str) -> None:
    with pytest.raises(GenerateError, match=complaint):
        vocabulary(str(folder(tmp_path, **files)))


def test_articles() -> None:
    written = [
        class_noun(w).surface for w in ("ostrich", "unicorn", "heir", "user", "umpire", "hen")
    ]
    assert written == ["an ostrich", "a unicorn", "an heir", "a user", "an umpire", "a hen"]


def test_unknown_vocabulary() -> None:
    with pytest.raises(GenerateError, match=r"'opne'.*\"open\""):
        vocabulary("opne")
