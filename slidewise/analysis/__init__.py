"""Analysis: distances, stars, reviews, drawn puzzles and shortest solutions, from the solver."""
