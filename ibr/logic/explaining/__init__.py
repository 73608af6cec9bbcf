"""Explanations: why, why not, and which single fact would change it."""
