"""Measurements, not tests: `python -m benchmarks` prints them all."""
