"""Encoders below the model: compact (trained from scratch) and pretrained."""
