"""The solver: what a program proves, every proof, and why the rest fails."""
