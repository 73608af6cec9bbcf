"""The symbolic half: language, solver, verifier, explanations. No numpy, no torch."""
