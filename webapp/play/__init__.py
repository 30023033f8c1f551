"""Playing: the game, its session, daily puzzles, new games and reviews."""
