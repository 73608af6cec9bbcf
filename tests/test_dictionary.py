"""Words looked up in lemminflect's tables have the forms that lemminflect itself gives them."""

from __future__ import annotations

import subprocess
import sys

import lemminflect
import pytest
from lemminflect.core.Inflections import Inflections
from lemminflect.core.Lemmatizer import Lemmatizer

from ibr.logic.english.lexis import dictionary

STRANGE = ["", "a,b", "3", "xyzzy", "Dana", "LONDON", "e-mail", "it's", "'d", "naïve", "#"]


def every(step: int) -> list[str]:
    """Words of both tables and all that have entries of their own, which are the odd ones."""
    tables = Lemmatizer()._getLemmaDict(), Inflections()._getInflDict()
    odd = Lemmatizer()._getOverridesDict(), Inflections()._getOverridesDict()
    return [
        *STRANGE,
        *dictionary._AUXILIARIES,
        *(word for table in odd for word in table),
        *(word for table in tables for word in sorted(table)[::step]),
    ]


@pytest.mark.parametrize("step", [37, pytest.param(1, marks=pytest.mark.slow)])
def test_the_forms_are_lemminflects(step: int) -> None:
    for word in every(step):
        for written in (word, word.capitalize(), word.upper()):
            lemmas = lemminflect.getAllLemmas(written)
            assert list(dictionary.lemmas(written).items()) == list(lemmas.items())
            for part in ("NOUN", "VERB", "ADJ", "ADV"):
                forms = lemminflect.getAllInflections(written, part)
                assert list(dictionary.inflections(written, part).items()) == list(forms.items())


def test_proper_words_are_those_with_a_capital() -> None:
    table = Inflections()._getInflDict()
    for word in every(37):
        assert dictionary.is_proper(word) == (word in table and word[:1].isupper())
    assert dictionary.is_proper("London")
    assert not dictionary.is_proper("london")


def test_reading_english_needs_neither_lemminflect_nor_numpy() -> None:
    code = (
        "import sys\n"
        "from ibr.logic.language import read\n"
        "assert read('Employees are trusted unless they are suspended.').readable\n"
        "assert not {'lemminflect', 'numpy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
