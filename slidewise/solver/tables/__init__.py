"""Tables: exact distances, and pattern databases."""
