"""Boards as pages draw them, and the words about them that pages share."""
