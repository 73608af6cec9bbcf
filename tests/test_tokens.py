"""Words and anonymous symbols: stems, candidates for entities, symbol numbers."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.making.generator import Recipe, make_theory
from ibr.data.making.vocabulary import vocabulary
from ibr.inputs.arrays import Asked, make_arrays
from ibr.inputs.model_words import CLS, SYMBOL, default_words
from ibr.inputs.tokens import stem, tokenize, tokenize_question, tokenize_theory
from ibr.logic.surface.wording import base_form, third_person
from ibr.theory import Kind, Question, Theory

VOCABULARIES = ("ruletaker", "open")
KNOWN = default_words().known


@pytest.mark.parametrize("name", VOCABULARIES)
def test_forms_of_a_verb_have_one_stem(name: str) -> None:
    verbs = vocabulary(name).verbs
    assert len(verbs) >= 6
    for third in verbs:
        base = base_form(third)
        assert [*map(stem, third.split())] == [*map(stem, base.split())], (third, base)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_different_words_have_different_stems(name: str) -> None:
    """Else Jan and Jane would be one person."""
    words = vocabulary(name)
    roles = (words.names, words.nouns, words.adjectives, words.classes, words.abilities)
    said = [*itertools.chain.from_iterable(roles), *map(base_form, words.verbs)]
    by_stem: defaultdict[str, set[str]] = defaultdict(set)
    for word in " ".join(said).lower().replace("-", " ").split():
        by_stem[stem(word)].add(word)
    assert [forms for forms in by_stem.values() if len(forms) > 1] == []


@given(st.from_regex(r"[a-z]{2,12}", fullmatch=True))
def test_a_stem_is_its_own_stem(word: str) -> None:
    assert stem(stem(word)) == stem(word)


@pytest.mark.parametrize(
    "base",
    "like chase carry box boss focus pass see go tie play bus alias lens have watch fizz".split(),
)
def test_stems_of_irregular_verbs(base: str) -> None:
    assert stem(third_person(base)) == stem(base)


def said(text: str) -> list[str]:
    """Grammar by its word, symbols by their stem, candidates in capitals."""
    return [
        (t.symbol.upper() if t.is_candidate else t.symbol) if t.symbol else KNOWN.words[t.word]
        for t in tokenize(text, KNOWN)
    ]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The cat isn't big.", "CAT not big"),
        ("Anne likes the bald eagle.", "ANNE like BALD eagle"),
        ("If someone is kind and they chase Bob then they are not young.",
         "if someone kind and they chase BOB then they not young"),
        ("Kind people are rough.", "kind people rough"),
        ("Cold and rough, Bob came in from the big cold barn.",
         "cold and rough BOB came in from big cold BARN"),
        ("Arthur cannot fly.", "ARTHUR not fly"),
        ("Arthur can't fly, and won’t.", "ARTHUR not fly and not"),
        ("Circuit 3 has a switch.", "CIRCUIT 3 have switch"),
        ("The switch is on, and Bob is on the roof.", "SWITCH on and BOB on ROOF"),
        ("If the tap is on then it drips. Often Bob is in.", "if TAP on then it drip often BOB in"),
        ("The the is.", ""),
        ("*", ""),
    ],
)  # fmt: skip
def test_tokenize(text: str, tokens: str) -> None:
    assert said(text) == tokens.split()


def test_the_closed_list() -> None:
    assert len(set(KNOWN.words)) == len(KNOWN.words)
    assert not set(KNOWN.silent) & set(KNOWN.grammar)
    assert [t.word for t in tokenize("Bob feels zorbic", KNOWN)] == [
        SYMBOL,
        KNOWN.ids["feels"],
        SYMBOL,
    ]
    assert [t.symbol for t in tokenize("Bob feels zorbic", KNOWN)] == ["bob", "feel", "zorbic"]


THEORY = Theory.of(
    [
        "Bob is kind.",
        "If someone likes the cat then they are kind.",
        "Anne likes Bob.",
        "The cat likes the mouse.",
    ],
    [Kind.FACT, Kind.RULE, Kind.FACT, Kind.FACT],
)


def test_read_theory() -> None:
    tokens = tokenize_theory(THEORY, KNOWN, 10)
    # Numbers are given in the order of first appearance.
    assert tokens.numbers == {"bob": 1, "kind": 2, "like": 3, "cat": 4, "anne": 5, "mouse": 6}
    assert tokens.symbols[tokens.spots].tolist() == [1, 2, 3, 4, 2, 5, 3, 1, 4, 3, 6]
    assert tokens.sentence[tokens.spots].tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    # Channel 0 stands for a stranger; then what may be an entity, the most frequent first.
    assert tokens.channels.tolist() == [0, 1, 4, 5, 6]
    assert tokenize_theory(THEORY, KNOWN, 3).channels.tolist() == [0, 1, 4]
    assert tokenize_theory(THEORY, KNOWN, 1).channels.tolist() == [0]


def test_the_first_word_of_a_rule_is_no_entity() -> None:
    theory = Theory.of(["Tame people are shy.", "Shy is tame."], [Kind.RULE, Kind.FACT])
    tokens = tokenize_theory(theory, KNOWN, 10)
    assert [tokens.numbers["shy"]] == tokens.channels[1:].tolist()


def test_what_stands_beside_a_name_is_no_entity_if_nothing_else_is_said_of_it() -> None:
    facts = ["The snow made Bob cold.", "Anne likes Bob.", "Bob sees the cat.", "The cat is big."]
    tokens = tokenize_theory(Theory.of(facts, [Kind.FACT] * len(facts)), KNOWN, 10)
    entities = {tokens.numbers[name] for name in ("bob", "anne", "cat")}
    assert set(tokens.channels[1:].tolist()) == entities


def test_read_question() -> None:
    theory = tokenize_theory(THEORY, KNOWN, 10)
    question = tokenize_question("Zoe does not like the cat or the yak.", KNOWN, theory)
    assert question.words[0] == CLS
    assert [KNOWN.words[w] for w in question.words[1:]] == [
        "[SYMBOL]", "not", "[SYMBOL]", "[SYMBOL]", "or", "[SYMBOL]",
    ]  # fmt: skip
    # Words that the theory does not have are numbered on.
    assert question.symbols.tolist() == [0, 7, 0, 3, 4, 0, 8]
    assert question.spots.tolist() == [0, 1, 3, 4, 6]
    assert "zoe" not in theory.numbers


def test_rules_know_how_many_of_their_words_come_before() -> None:
    """By the author's numbers, and among rules that have the word."""
    sentences = ["Anne is kind.", "Kind people are big.", "Big people are red.", "Kind is big."]
    kinds = [Kind.FACT, Kind.RULE, Kind.RULE, Kind.RULE]
    plain = Theory.of(sentences, kinds)
    assert tokenize_theory(plain, KNOWN, 4).ranks.tolist() == [0, 0, 0, 0, 1, 0, 1, 2]
    turned = Theory(plain.sentences, (0, 3, 1, 2))
    assert tokenize_theory(turned, KNOWN, 4).ranks.tolist() == [0, 0, 1, 2, 0, 0, 0, 1]


def test_an_empty_theory() -> None:
    tokens = tokenize_theory(Theory(()), KNOWN, 4)
    assert tokens.channels.tolist() == [0]
    assert tokens.words.shape == tokens.spots.shape == (0,)
    assert tokenize_question("Bob is kind.", KNOWN, tokens).symbols.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_generated_entities_are_candidates(name: str) -> None:
    """Every entity of a generated theory has a channel, if there are enough."""
    for k in range(20):
        made = make_theory(Recipe(depth=2, vocabulary=name), seed=1, k=k)
        tokens = tokenize_theory(made.theory, KNOWN, 40)
        channels = set(tokens.channels.tolist())
        for entity in made.program.entities:
            first = stem(str(entity).lower().replace("-", " ").split()[0])
            assert tokens.numbers[first] in channels, (entity, made.theory.text)


def test_arrays_are_consistent() -> None:
    made = make_theory(Recipe(depth=3), seed=2, k=0)
    tokens = tokenize_theory(made.theory, KNOWN, 10)
    for s, sentence in enumerate(made.theory):
        mine = tokens.sentence == s
        said_here = tokenize(sentence.text, KNOWN)
        assert tokens.words[mine].tolist() == [t.word for t in said_here]
        assert tokens.symbols[mine].tolist() == [
            tokens.numbers.get(t.symbol or "", 0) for t in said_here
        ]
        assert tokens.position[mine].tolist() == list(range(len(said_here)))
    assert np.array_equal(tokens.spots, np.flatnonzero(tokens.symbols))


def test_of_adjectives_that_much_is_known() -> None:
    words = [token.word for token in tokenize("Anne is kind, vivid and blorp.", KNOWN)]
    assert [KNOWN.words[word] for word in words] == [
        "[SYMBOL]",
        "kind",
        "[ADJECTIVE]",
        "and",
        "[SYMBOL]",
    ]
    assert all(
        token.symbol
        for token in tokenize("Kind and vivid.", KNOWN)
        if token.word >= KNOWN.adjective
    )


def test_in_training_some_theories_hide_what_is_known_of_adjectives() -> None:
    asked = [Asked(Theory.of(["Anne is kind."], [Kind.FACT]), [Question("Bob is kind.")])] * 64
    shown = make_arrays(asked, KNOWN, 4, 8)
    assert (shown.theory.words[:, 0, 1] == KNOWN.ids["kind"]).all()
    drawn = make_arrays(asked, KNOWN, 4, 8, random.Random(0))
    told = drawn.theory.words[:, 0, 1] == KNOWN.ids["kind"]
    assert (told == (drawn.question.words[:, 2] == KNOWN.ids["kind"])).all()
    assert 30 < told.sum() < 64
    assert set(drawn.theory.words[~told, 0, 1]) == {SYMBOL}


def test_a_preposition_at_the_end_of_a_clause_is_a_symbol() -> None:
    def on(text: str) -> list[str | None]:
        return [token.symbol for token in tokenize(text, KNOWN) if token.word == KNOWN.ids["on"]]

    assert on("The switch is on.") == ["on"]
    assert on("If the tap is on and the lamp is on the table then it is on") == ["on", None, "on"]
