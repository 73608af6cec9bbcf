"""The proofs of `forest.Unrepeating` again, in as few states as they have: for counting them.

Where literals rest on each other, a path forbids some of them. Two paths that leave the same ones
usable lead to the same proofs below, so the context here is what is usable and not what was passed.
What cannot be proved from the usable ones is left out, so that no state is a dead end.
"""

from __future__ import annotations

from ibr.logic.clause import Literal, Sign
from ibr.logic.solving.chaining import Instance
from ibr.logic.solving.forest import Option, Path, State, different
from ibr.logic.solving.measure import Instances
from ibr.logic.solving.stratify import components


class Shared:
    """The context: other literals of the component that proofs of this one may rest on, and do.

    Every literal that an instance has as a premise must be provable by the instances.
    """

    def __init__(self, instances: Instances, literal: Literal) -> None:
        self._instances = instances
        self._component: dict[Literal, Path] = {}
        for members in components([literal], self._below):
            self._component.update(dict.fromkeys(members, Path(members)))
        self._inner = {  # of each literal, what its instances need of its own component
            lit: {component.intersection(i.premises) for i in instances[lit]}
            for lit, component in self._component.items()
        }
        self._regions: dict[State[Path], Path | None] = {}
        self.root = State(literal, self._region(literal, self._component[literal]) or Path())

    def options(self, state: State[Path]) -> list[Option[Path]]:
        found = ((i.sentence, self._premises(i, state)) for i in self._instances[state.literal])
        return different(Option(sentence, pre) for sentence, pre in found if pre is not None)

    def _premises(
        self, instance: Instance, state: State[Path]
    ) -> tuple[State[Path] | None, ...] | None:
        """The states of the instance's conditions, or None if one cannot be proved in context."""
        premises: list[State[Path] | None] = []
        component = self._component[state.literal]
        for literal in instance.body:
            if literal.sign is Sign.NAF:
                premises.append(None)
                continue
            inside = literal in component
            usable = state.context if inside else self._component[literal]
            region = self._region(literal, usable) if literal in usable else None
            if region is None:
                return None
            premises.append(State(literal, region))
        return tuple(premises)

    def _below(self, literal: Literal) -> list[Literal]:
        return [lit for instance in self._instances[literal] for lit in instance.premises]

    def _region(self, literal: Literal, usable: Path) -> Path | None:
        """Which other usable literals proofs of this one rest on; None if it has no proof."""
        key = State(literal, usable)
        if key not in self._regions:
            self._regions[key] = self._explore(literal, usable)
        return self._regions[key]

    def _explore(self, literal: Literal, usable: Path) -> Path | None:
        rest = self._provable(usable - {literal})  # below the literal it is not usable itself
        if not any(inner <= rest for inner in self._inner[literal]):
            return None
        region: set[Literal] = set()
        queue = [literal]
        for found in queue:  # grows as we go
            for inner in self._inner[found]:
                if inner <= rest:
                    queue.extend(inner - region)
                    region |= inner
        return Path(region)

    def _provable(self, usable: Path) -> set[Literal]:
        """What can be proved of the usable literals from themselves."""
        waiting: dict[Literal, list[tuple[Literal, set[Literal]]]] = {}
        provable: dict[Literal, None] = {}
        for literal in usable:
            for inner in self._inner[literal]:
                if not inner:
                    provable[literal] = None
                elif inner <= usable:
                    missing = set(inner)
                    for premise in inner:
                        waiting.setdefault(premise, []).append((literal, missing))
        queue = list(provable)
        for found in queue:  # grows as we go
            for literal, missing in waiting.get(found, ()):
                missing.discard(found)
                if not missing and literal not in provable:
                    provable[literal] = None
                    queue.append(literal)
        return set(provable)
