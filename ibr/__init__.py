"""ibr: answers over plain-English facts and rules, each with a proof."""

__version__ = "0.1.0"
