"""Subcommands of the course."""
