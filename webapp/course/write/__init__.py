"""Exercises in writing searches, judged in the browser."""
