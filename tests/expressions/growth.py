"""The growth of CPU time with the length of a text."""

import signal
import time
from contextlib import contextmanager

SHORT_SECONDS = 0.001
"""CPU time too short to compare."""

LONGEST_SECONDS = 20.0
FACTOR, ALLOWED = 4, 8
LONGEST = 400_000
ATTEMPTS = 8


class TooSlow(Exception):
    """A call took longer than any call linear in the text."""


@contextmanager
def limited():
    """Raise `TooSlow` after a limit of CPU time; it interrupts `re` too."""

    def stop(*_):
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def seconds(call, text):
    """Return the CPU seconds of `call(text)`."""
    began = time.thread_time()
    call(text)
    return time.thread_time() - began


def grows_too_fast(call, make, length=1000):
    """Return the reason why `call(make(n))` is slower than linear in n, or "".

    The length grows from `length` until the time is measurable. Four times the text may take at
    most eight times as long. A busy machine gets several attempts.
    """
    try:
        with limited():
            call(make(24))  # exponential time is already slow here
            if seconds(call, make(FACTOR * length)) < SHORT_SECONDS:
                return ""
            while seconds(call, make(length)) < SHORT_SECONDS and length < LONGEST:
                length *= 2
            for _ in range(ATTEMPTS):
                short = min(seconds(call, make(length)) for _ in range(3))
                long = seconds(call, make(FACTOR * length))
                if long <= ALLOWED * short:
                    return ""
    except TooSlow:
        return f"more than {LONGEST_SECONDS} s at {length}"
    return f"{short * 1000:.1f} ms at {length}, {long * 1000:.1f} ms at {FACTOR * length}"
