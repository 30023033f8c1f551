"""The command `slidewise`, also `python -m slidewise`. It handles Ctrl-C from the start."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""Exit code after Ctrl-C, also in `slidewise.cli`, which is not imported yet."""


def main() -> int:
    """Run the command; return the exit code."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:  # a shell ignores SIGINT for its background jobs, and so must this command
        signal.signal(signal.SIGINT, _leave)
    from slidewise.cli import main as command  # takes tenths of a second, in which Ctrl-C may come

    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = command()
        if heard:
            signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once, before the start or after the end, because imports may swallow exceptions."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
