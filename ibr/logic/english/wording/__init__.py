"""Wordings that meet, wordings that look alike, and what rules say in other words."""
