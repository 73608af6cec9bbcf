"""A rulebook, a question, a result: the one path for every interface."""
