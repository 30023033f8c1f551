"""Subcommands of research."""
