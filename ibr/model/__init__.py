"""The model of the paper."""
