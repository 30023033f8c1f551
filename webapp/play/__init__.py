"""The game, its session, and what comes before and after it."""
