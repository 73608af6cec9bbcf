"""Rooms of the solver: chaining, strata, depths, the forest of proofs, failure chains."""
