"""The worker of the server: the queue, whose turn it is, and the work itself. Knows no HTTP."""
