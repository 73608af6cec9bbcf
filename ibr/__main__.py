"""`python -m ibr` is the command `ibr`."""

from ibr.cli import main

main()
