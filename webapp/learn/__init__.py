"""The lessons, and what goes with them."""
