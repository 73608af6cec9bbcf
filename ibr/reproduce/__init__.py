"""The tables and figures of the paper: plans, runs, scores and pages; latency of all systems."""
