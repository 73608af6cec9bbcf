"""Rooms of repairs: which single facts could matter, and what each would change."""
