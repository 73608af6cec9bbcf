"""Tokens to trees: a chart of phrases with costs."""
