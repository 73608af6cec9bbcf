"""Sentences as text: segmentation, word lists and the templates of RuleTaker."""
