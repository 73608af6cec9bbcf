"""The HTTP door. Needs `pip install 'ibr[serve]'`; nothing else of the package imports it."""
