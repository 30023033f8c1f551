"""Parsing and validation of form input."""
