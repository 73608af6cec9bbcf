"""Ordinary English, read a whole rulebook at a time: words, trees, individuals, rules."""
