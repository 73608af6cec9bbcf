"""Examples: files of the field, our own JSONL, and generated theories. No torch."""
