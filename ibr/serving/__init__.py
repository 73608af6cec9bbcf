"""The HTTP server and its page. Needs `pip install 'ibr[serve]'`; only `ibr serve` imports it."""
