"""What the site has beside its subjects: answers for whoever runs it, for robots, on privacy."""
