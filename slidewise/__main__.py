"""The command `slidewise`, also `python -m slidewise`: it hears of Ctrl-C from the start."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""The exit code, of `slidewise.cli` too, which is not imported yet."""


def main() -> int:
    """Run the command; return the exit code."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:  # a shell that runs it in the background has it hear nothing
        signal.signal(signal.SIGINT, _leave)
    from slidewise.cli import main as command  # takes a while; somebody may press Ctrl-C

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
    """End at once: nothing has begun yet, or all is done, and imports may pass over exceptions."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
