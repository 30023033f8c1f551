"""Subcommands of the course, which use the frame in `slidewise.cli`."""
