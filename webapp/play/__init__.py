"""Playing: the game, its session, daily puzzles, levels, new games and reviews.

Imports only `http`, `workers`, `board` and `forms`.
"""
