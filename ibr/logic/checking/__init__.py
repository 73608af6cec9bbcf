"""Rooms of the verifier: what cited sentences yield, and a second model of the theory."""
