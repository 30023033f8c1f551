"""The lab: searches raced, watched and compared, and heuristics drawn."""
