"""Tables of distances: exact ones, and pattern databases."""
