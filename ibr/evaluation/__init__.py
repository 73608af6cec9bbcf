"""Metrics, gold proofs, calibration and oracles."""
