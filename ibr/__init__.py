"""ibr: answers over plain-English facts and rules, each with a proof.

    import ibr
    proved = ibr.load().prove("Bob is big. Big people are kind.", "Bob is kind.")

What is named here is imported when it is first used, so that `import ibr` costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ibr.errors import IbrError
    from ibr.events import Guess, Stepped
    from ibr.proved import Proved
    from ibr.prover import Asking, Prover, load
    from ibr.rulebook import Rulebook

__version__ = "0.1.0"
__all__ = ["Asking", "Guess", "IbrError", "Proved", "Prover", "Rulebook", "Stepped", "load"]

_HOMES = {
    "Asking": "ibr.prover",
    "Guess": "ibr.events",
    "IbrError": "ibr.errors",
    "Proved": "ibr.proved",
    "Prover": "ibr.prover",
    "Rulebook": "ibr.rulebook",
    "Stepped": "ibr.events",
    "load": "ibr.prover",
}


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


if not TYPE_CHECKING:  # else every name would seem to be one of ours

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'ibr' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
