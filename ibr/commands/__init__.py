"""One thin file per command: read input, call the library, write output."""
