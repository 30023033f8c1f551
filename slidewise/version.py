"""The version of Slidewise, stated here alone."""

__version__ = "0.1.0"
