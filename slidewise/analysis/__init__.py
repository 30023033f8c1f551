"""Analysis of a puzzle or a game: distances, stars, reviews, drawn puzzles, shortest solutions.

Imports `puzzle` and `solver`.
"""
