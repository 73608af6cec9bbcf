"""Proofs for the eye: pictures, text, and sources for other programs that draw. Judges nothing."""
