"""Subcommands of research, which use the frame in `slidewise.cli`."""
