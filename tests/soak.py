"""What takes long: `make soak` runs it, and `make test` a small part of it."""

from __future__ import annotations

import os

SOAK = bool(os.environ.get("SLIDEWISE_SOAK"))
"""Whether tests that are marked `soak` run, and others take all of their cases."""
