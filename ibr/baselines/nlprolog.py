"""NLProlog (Weber et al. 2019) on rule texts: `algorithms.weak_unification`, similarity learned.

sim(x, y) = (1 + cos) / 2 of projected name vectors, one projection for predicates and one for
entities (linear, ReLU, dropout 0.2). A name's vector is the sum of hashed character n-grams, or
with `pretrained` the mean state of that encoder, frozen. The authors start from sent2vec and learn
from extracted triples and rule templates; this setting, with the theory's own rules, is ours.

Training: search without gradients for the best proof of what is provable and of the best wrong atom
(one name changed, or an unprovable question), score both again with gradients, and maximise
log s_right + log(1 - s_wrong). By back-propagation, as in the ACL paper.

It is given parses: on templated English the parser does most of the work, and with words that never
come again similarity can only mean "the same". Its row in a table must say so. It has no hints.
"""

import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import SimpleNamespace
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.baselines.algorithms.weak_unification import Atom, Scored, Search, clauses_of
from ibr.baselines.system import Answered, Baseline, Labeller, SystemBatch, SystemConfig
from ibr.data.formats.example import Example
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import ModelWords, default_words
from ibr.logic.clause import Literal, Program
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.model.batch import reader_of
from ibr.model.ibr import encoder_of
from ibr.model.nodes import NodeEncoder
from ibr.proof import Graph, Proof
from ibr.theory import Question, Strategy, Theory
from ibr.training.labels import Groups

_BUCKETS: Final = 4096
_WRONG: Final = 4  # atoms that are tried as the wrong one
_LEAST: Final = 1e-4  # of what a logarithm is taken of


@dataclass(frozen=True)
class Goals:
    """A theory, an atom that it proves (None: it proves none), and atoms that it does not."""

    program: Program
    right: Atom | None
    wrong: tuple[Atom, ...]

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return (self.right, *self.wrong) if self.right else self.wrong


@dataclass(frozen=True)
class GoalBatch(SystemBatch):
    goals: tuple[Goals, ...]


class NameVectors(nn.Module):
    """Names → vectors (names, H), by hashed n-grams or by a frozen encoder."""

    def __init__(self, config: SystemConfig, weights: bool) -> None:
        super().__init__()
        hidden = config.hidden
        self.table = nn.EmbeddingBag(_BUCKETS, hidden, mode="sum")
        self.encoder: nn.Module | None = None
        if config.pretrained is not None:
            self.encoder = encoder_of(config, weights).requires_grad_(False)
            self.read = reader_of(config, default_words())
        self.mean = NodeEncoder(hidden, lstm=False)
        self.projections = nn.ModuleDict(
            {
                kind: nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(0.2))
                for kind in ("predicate", "entity")
            }
        )

    def forward(self, names: Sequence[str], kind: str) -> Tensor:
        device = self.table.weight.device
        if self.encoder is None:
            grams = [_ngrams(name) for name in names]
            starts = torch.tensor([0, *map(len, grams)], device=device)[:-1].cumsum(0)
            flat = torch.tensor([gram for own in grams for gram in own]).to(device)
            return self.projections[kind](self.table(flat, starts))
        asked = [Asked(Theory.of([name]), [Question(name)]) for name in names]
        with torch.no_grad():
            out = self.encoder(self.read(asked).to(device).input)
            vectors = self.mean(out.tokens, out.spans)[:, 0]
        return self.projections[kind](vectors)


def _ngrams(name: str) -> list[int]:
    text = f"<{name.lower()}>"
    grams = {text[at : at + size] for size in (3, 4, 5) for at in range(len(text) - 2)}
    return sorted(zlib.crc32(gram.encode()) % _BUCKETS for gram in grams)


class Similarities:
    """Of all names that a program and some atoms have: a table without, and one with gradients."""

    def __init__(self, names: NameVectors, program: Program, atoms: Sequence[Atom]) -> None:
        clauses = clauses_of(program)
        found = [*atoms, *(a for c in clauses for a in (c.head, *(b.atom for b in c.body)))]
        subjects = (atom.subject for atom in found if atom.subject[:1] != "?")
        predicates = sorted({atom.predicate for atom in found})
        entities = sorted({*program.entities, *subjects})
        self._place = {name: (0, i) for i, name in enumerate(predicates)}
        self._place |= {name: (1, i) for i, name in enumerate(entities)}
        kinds = (("predicate", predicates), ("entity", entities))
        units = [F.normalize(names(own, kind), dim=-1) for kind, own in kinds]
        self._tables = [(1 + unit @ unit.T) / 2 for unit in units]  # of cosines
        self._values = [table.detach().tolist() for table in self._tables]

    def __call__(self, one: str, other: str) -> float:
        kind, row = self._place[one]
        return float(self._values[kind][row][self._place[other][1]])

    def score(self, found: Scored) -> Tensor:
        """The proof's score again, with gradients."""
        pairs = [(self._place[a], self._place[b]) for a, b in found.unified]
        return torch.stack([self._tables[k][i, j] for (k, i), (_, j) in pairs]).prod()


class NLProlog(Baseline):
    name = "nlprolog"

    def build(self, weights: bool) -> None:
        self.names = NameVectors(self.config, weights)

    @classmethod
    def labeller(cls, config: SystemConfig, words: ModelWords) -> Labeller:
        def make(groups: Groups, rng: random.Random) -> GoalBatch:
            goals = tuple(goal for group in groups for goal in _goals(group, rng))
            return GoalBatch(sum(map(len, groups)), goals)

        return make

    def loss(self, batch: GoalBatch) -> SimpleNamespace:
        right, wrong = [], []
        for program, some in groupby(batch.goals, key=lambda goals: goals.program):
            own = [*some]
            searched = Searches(self, program, [goals.atoms for goals in own])
            for goals in own:
                search = searched.of(goals.atoms)
                if goals.right and (found := search.best(goals.right, self.config.depth)):
                    right.append(-searched.similar.score(found).clamp(min=_LEAST).log())
                found_wrong = [search.best(atom, self.config.depth) for atom in goals.wrong]
                best = max(filter(None, found_wrong), key=lambda f: f.score, default=None)
                if best is not None:
                    wrong.append(-(1 - searched.similar.score(best)).clamp(min=_LEAST).log())
        parts = {"right": self._mean(right), "wrong": self._mean(wrong)}
        return SimpleNamespace(total=sum(parts.values()), **parts)

    def _mean(self, losses: list[Tensor]) -> Tensor:
        """Of nothing: 0, with a gradient of 0."""
        return torch.stack(losses).mean() if losses else self.names.table.weight.sum() * 0.0

    @torch.inference_mode()
    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        return [found for item in asked for found in self._answers(item)]

    def _answers(self, item: Asked) -> Iterator[Answered]:
        literals = [read_question(question.text) for question in item.questions]
        goals = [(Atom.of(literal), Atom.of(literal.negation)) for literal in literals]
        searched = Searches(self, program_of(item.theory), goals)
        self.meter.encoder_calls += 1
        for literal, atoms in zip(literals, goals, strict=True):
            search = searched.of(atoms)
            shown, denied = (search.proved(atom) for atom in atoms)
            self.meter.search_nodes += search.nodes
            best = max(filter(None, (shown, denied)), key=lambda found: found.score, default=None)
            if best is None:
                yield Answered(not literal.positive, Graph(), Strategy.FAIL_PROOF)
            else:
                graph = Proof.of(best.tree).graph
                yield Answered(best is shown, graph, Strategy.PROOF, best.score)


class Searches:
    """The searches of goals over one program. Goals with the same domain share what was found."""

    def __init__(self, model: NLProlog, program: Program, goals: Sequence[Sequence[Atom]]) -> None:
        self.similar = Similarities(model.names, program, [atom for own in goals for atom in own])
        self._config, self._program = model.config, program
        self._by_domain: dict[tuple[str, ...], Search] = {}

    def of(self, atoms: Sequence[Atom]) -> Search:
        """With its whole allowance of nodes."""
        domain = tuple(sorted({*self._program.entities, *(atom.subject for atom in atoms)}))
        known = self._by_domain.get(domain)
        if known is None or known.is_exhausted:
            limits = self._config.threshold, self._config.accept, self._config.depth
            known = Search(clauses_of(self._program), domain, self.similar, *limits)
            self._by_domain[domain] = known
        known.nodes = 0
        return known


def _goals(group: Sequence[Example], rng: random.Random) -> list[Goals]:
    program = group[0].program
    if program is None:
        raise ValueError(f"{group[0].id}: no logic to learn from")
    solver = Solver(program)
    found = []
    for example in group:
        literal = example.statement
        proved = solver.judge(literal).proved
        wrong = [Atom.of(lit) for lit in _changed(proved or literal, solver, rng)]
        if proved is None:
            wrong.append(Atom.of(literal))
        found.append(Goals(program, Atom.of(proved) if proved else None, tuple(wrong)))
    return found


def _changed(literal: Literal, solver: Solver, rng: random.Random) -> list[Literal]:
    """Unprovable atoms that differ from this one in one name."""
    entities = sorted(solver.domain)
    others = [literal._replace(subject=entity) for entity in entities]
    others += [other._replace(subject=literal.subject) for other in sorted(solver.model)]
    unproved = [other for other in others if other != literal and not solver.proves(other)]
    return rng.sample(unproved, min(_WRONG, len(unproved)))
