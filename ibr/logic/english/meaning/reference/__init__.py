"""Whom a sentence speaks of."""
