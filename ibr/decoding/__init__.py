"""Beam search over proof paths, and the onnxruntime back end. No torch."""
