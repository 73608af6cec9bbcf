"""Which component of a sentence a proof uses, where a sentence holds several (ParaRules).

A `Proof` points at "Big Dave is a young man."; a proofs string must say triple3 or triple4. The
answer is found by following the logic from the conclusion down. Checks nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ibr.data.proof_string import NAF_NAME, Named, Names, ProofStringError, Proved
from ibr.logic.clause import Clause, Literal, Program, Sign, is_variable
from ibr.proof import NAF, Proof, Tree


def name_tree(tree: Tree, goal: Literal, names: Names, program: Program) -> Named | None:
    """The proof of `goal` in names, premises in the order of the rule's conditions; None if the
    sentences do not say so."""
    if tree.node == NAF:
        return Named(NAF_NAME) if goal.sign is Sign.NAF else None
    held = zip(names.components[tree.node], program.said[tree.node], strict=True)
    for name, clause in held:
        if len(clause.body) != len(tree.premises):
            continue
        for bound in _instances(clause, goal, program):
            premises = _name_all(tree.premises, bound.body, names, program)
            if premises is not None:
                return Named(name, premises)
    return None


def _name_all(
    trees: tuple[Tree, ...], goals: tuple[Literal, ...], names: Names, program: Program
) -> tuple[Named, ...] | None:
    named: list[Named] = []
    for tree, goal in zip(trees, goals, strict=True):
        found = name_tree(tree, goal, names, program)
        if found is None:
            return None
        named.append(found)
    return tuple(named)


def _instances(clause: Clause, goal: Literal, program: Program) -> Iterator[Clause]:
    """The instances of a clause that conclude `goal`."""
    terms = ((clause.head.subject, goal.subject), (clause.head.object, goal.object))
    binding = {term: value for term, value in terms if is_variable(term)}
    if clause.head.bind(binding) != goal:
        return
    free = sorted(clause.variables - binding.keys())
    for values in product(sorted(program.entities), repeat=len(free)):
        yield clause.bind({**binding, **dict(zip(free, values, strict=True))})


def name_proofs(proofs: Sequence[Proof], goal: Literal, names: Names, program: Program) -> Proved:
    """Proofs of `goal` in names; by their logic only where a sentence holds several components."""
    if all(len(held) <= 1 for held in names.components):
        said = names.of_proofs(proofs, "")
        assert isinstance(said, Proved)
        return said
    trees = [name_tree(proof.root, goal, names, program) for proof in proofs if proof.root]
    if None in trees:
        raise ProofStringError(f"proof {trees.index(None)} does not prove {goal}")
    return Proved(tuple(tree for tree in trees if tree is not None))
