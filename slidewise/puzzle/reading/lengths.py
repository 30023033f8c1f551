"""How long the texts may be that are read."""

MAX_MOVES = 100_000
"""The longest list of moves that is read, counted after run lengths are expanded."""

MAX_TEXT = 200_000
"""The longest text of moves that is looked at, in characters."""
