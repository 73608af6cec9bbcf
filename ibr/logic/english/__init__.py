"""Ordinary English: one sentence → clauses, or the reason why not (`reader`), and back (`say`).

`lexis` knows words, `grammar` gives sentences a meaning, `clauses` turns meanings into logic.
"""
