"""Playing: the game, its session, daily puzzles, levels, new games and reviews.

Imports `http`, `workers`, `board` and `forms`, as each subject of the game may.
"""
