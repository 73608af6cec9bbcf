"""Text to arrays for a network."""
