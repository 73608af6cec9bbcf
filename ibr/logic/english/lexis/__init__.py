"""Words: what each can be, and its other forms."""
