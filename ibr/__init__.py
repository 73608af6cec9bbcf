"""ibr: answers over plain-English facts and rules, each with a proof.

    import ibr
    result = ibr.load().prove("Bob is big. Big people are kind.", "Bob is kind.")

What is named here is imported when it is first used, so that `import ibr` costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ibr.asking.prover import Asking, Prover, load
    from ibr.asking.result import Result
    from ibr.asking.rulebook import Rulebook
    from ibr.decoding.events import Guess, Stepped
    from ibr.errors import IbrError
    from ibr.prediction import Verdict

__version__ = "0.1.0"

_HOMES = {
    "Asking": "ibr.asking.prover",
    "Guess": "ibr.decoding.events",
    "IbrError": "ibr.errors",
    "Prover": "ibr.asking.prover",
    "Result": "ibr.asking.result",
    "Rulebook": "ibr.asking.rulebook",
    "Stepped": "ibr.decoding.events",
    "Verdict": "ibr.prediction",
    "load": "ibr.asking.prover",
}
__all__ = [
    "Asking", "Guess", "IbrError", "Prover", "Result", "Rulebook", "Stepped", "Verdict", "load",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


if not TYPE_CHECKING:  # a type checker would take every name for one of these

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'ibr' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
