"""Questions to suggest for a rulebook, in its own words. They come from the solver, not a model.

Some of them hold, some are refuted, some cannot be proved, in turn; those that need most rules come
first, and what a sentence simply states comes last.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from ibr.logic.clause import Literal, Program, groundings
from ibr.logic.language import read_question, say
from ibr.logic.reading import ReadError
from ibr.logic.solving.solver import Solver

MOST = 12
_TRIED = 2_000  # instances of conclusions that are looked at


def suggestions(program: Program, solver: Solver | None, most: int = MOST) -> list[str]:
    """At most so many; none where nothing can be read. Without a solver, none is known to hold."""
    model = solver.model if solver else {}
    derived = sorted((lit for lit in model if model[lit] > 0), key=lambda lit: (-model[lit], lit))
    positive = [literal for literal in derived if literal.positive]
    refuted = [literal.atom for literal in derived if not literal.positive]
    open_ = [atom for atom in _conclusions(program) if not {atom, atom.negation} & model.keys()]
    stated = [clause.head for _, clause in program if clause.is_fact]
    mixed = (x for turn in zip_longest(_spread(positive), refuted, _spread(open_)) for x in turn)
    candidates = dict.fromkeys(literal for literal in (*mixed, *stated) if literal is not None)
    return list(islice(filter(None, map(_asked, candidates)), most))


def _conclusions(program: Program) -> Iterator[Literal]:
    """What the rules could conclude of the subjects of facts, whether they do or not."""
    entities = sorted({clause.head.subject for _, clause in program if clause.is_fact})
    heads = [clause.head.atom for _, clause in program if clause.body]
    ways = ((head, way) for head in heads for way in groundings(head.variables, entities))
    return (head.bind(way) for head, way in islice(ways, _TRIED))


def _spread(literals: Iterable[Literal]) -> list[Literal]:
    """One of each predicate first, for variety."""
    kinds: defaultdict[tuple[str, str], list[Literal]] = defaultdict(list)
    for literal in literals:
        kinds[literal.relation, literal.object if literal.relation == "is" else ""].append(literal)
    turns = zip_longest(*kinds.values())
    return [literal for turn in turns for literal in turn if literal is not None]


def _asked(literal: Literal) -> str | None:
    """In words, if they are read back as the same."""
    text = say(literal)
    try:
        return text if read_question(text) == literal else None
    except ReadError:
        return None
