"""Long runs over files: units, parts and outputs that survive a kill."""
