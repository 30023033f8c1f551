"""Studies of searches and games: recordings, reviews, explanations, samples."""
