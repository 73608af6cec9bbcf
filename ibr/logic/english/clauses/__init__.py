"""Meanings → clauses: who is meant, and under which conditions."""
