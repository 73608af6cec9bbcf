"""The verifier: what cited sentences yield, and a second model of the theory. No solver."""
