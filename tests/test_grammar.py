"""The grammar by itself: its notation, its features, its budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibr.logic.english.grammar import notation
from ibr.logic.english.grammar.chart import Chart, OutOfBudget
from ibr.logic.english.grammar.notation import read
from ibr.logic.english.grammar.sentences import Grammar
from ibr.logic.english.grammar.tree import NP, Clause, Co, Not, V
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.lexis.splitting import names_in, split, tokenize
from ibr.logic.language import read_question
from ibr.logic.reading import ReadError


def trees(text: str) -> list[object]:
    """The cheapest trees of a sentence."""
    words = split(text)
    raw = tokenize(words, names_in([words]))
    grammar = Grammar(raw, Lexicon([raw]))
    found = grammar.question() if text.endswith("?") else grammar.statement()
    least = min((cost for _, _, cost in found), default=0)
    return [tree for _, tree, cost in found if cost == least]


def test_a_small_grammar(tmp_path: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_text(
        'start : name "is|was" [name Tom] no:"not"? kind -> Clause(name, kind) ; 2\n'
        "name : NAME\n"
        "kind : N ; 1\n"
    )
    words = split("Tom is not member.")
    raw = tokenize(words, frozenset({"Tom"}))
    chart = Chart(read(path), raw, Lexicon([raw]))
    assert chart.find("start", 0) == [(4, Clause("Tom", "member"), 3)]


def test_what_is_made_of_no_tree_is_none() -> None:
    """Found by the fuzzer: "two of the cousinq" was an object though it is no noun phrase."""
    assert not trees("Lasse and Runa are two of the cousinq.")
    assert trees("Lasse and Runa are two of the cousins.")


def test_what_is_needed_inside_a_phrase_is_refused() -> None:
    """Found by the fuzzer: it was taken for a verb with an object that is a verb."""
    with pytest.raises(ReadError):
        read_question("May Zoe take phoIs Tomasz required to wear an apron?")


@pytest.mark.parametrize(
    ("text", "tense", "mode", "denied"),
    [
        ("Tom works.", "", "", False),
        ("Tom did not work.", "past", "", True),
        ("Tom has never worked.", "perf", "", True),
        ("Tom may not work.", "", "may", True),
        ("Tom must not work.", "", "may", True),
        ("Tom cannot work.", "", "can", True),
        ("Tom used to work.", "past", "used to", False),
        ("Tom has yet to work.", "perf", "", True),
        ("Does Tom work?", "", "", False),
        ("Should Tom work?", "", "should", False),
    ],
)
def test_tense_mode_and_polarity(text: str, tense: str, mode: str, denied: bool) -> None:
    (tree,) = trees(text)
    assert isinstance(tree, Clause)
    assert isinstance(tree.vp, Not) is denied
    verb = tree.vp.body if denied else tree.vp
    assert isinstance(verb, V)
    assert (verb.lemma, verb.tense, verb.mode) == ("work", tense, mode)


def test_number_must_agree() -> None:
    assert trees("The dogs bark.")
    assert not trees("The dogs barks.")


def test_both_groupings_are_kept() -> None:
    found = trees("Tom is late or tired and hungry.")
    assert {tree.vp.op for tree in found if isinstance(tree, Clause)} == {"or", "and"}


def test_an_adjective_before_two_nouns() -> None:
    found = trees("Vaccinated cats and dogs may travel.")
    seconds = [tree.subj.items[1] for tree in found if isinstance(tree, Clause)]
    assert sorted(bool(np.mods) for np in seconds if isinstance(np, NP)) == [False, True]


def test_neither_nor() -> None:
    (tree,) = trees("Bela is neither tall nor strong, but quick.")
    assert isinstance(tree, Clause)
    assert isinstance(tree.vp, Co)
    assert [getattr(item, "op", "") for item in tree.vp.items] == ["nor", ""]


def test_the_budget_is_kept() -> None:
    text = "Tom is " + " and ".join(["late or tired"] * 30) + "."
    words = split(text)
    raw = tokenize(words, frozenset({"Tom"}))
    grammar = Grammar(raw, Lexicon([raw]))
    grammar.left = 500
    with pytest.raises(OutOfBudget):
        grammar.statement()


def test_no_two_builders_share_a_name() -> None:
    """They are looked up by name, whatever their module."""
    modules = [vars(notation)[name] for name in dir(notation) if name.endswith("_builders")]
    modules += [notation.occasions, notation.tree]
    made = [
        name
        for module in modules
        for name, one in vars(module).items()
        if getattr(one, "__module__", "") == module.__name__ and not name.startswith("_")
    ]
    assert len(modules) > 5
    assert len(made) == len(set(made))
