"""Operations pages: metrics, probes, robots, privacy."""
