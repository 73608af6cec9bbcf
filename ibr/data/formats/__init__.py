"""Files in and out: one module for each format."""
