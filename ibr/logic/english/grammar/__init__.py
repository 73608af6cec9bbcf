"""Sentences: english.lark, the parse forest, and the meaning of every rule."""
