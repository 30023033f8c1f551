"""`slidewise prove`: a shortest solution and its proof, in minutes to hours."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from slidewise.cli.arguments import (
    Commands,
    UsageError,
    add_cluster,
    add_puzzle,
    board_text,
    cluster_client,
    decimal,
    read_puzzle,
    whole_number,
    writing,
)
from slidewise.cli.terminal import (
    NOT_SOLVED,
    SOLVED,
    Bar,
    exit_code,
    interrupts,
    print_event,
    print_result,
)
from slidewise.research.prove import prove, write_certificate
from slidewise.solver.events import Event, Finished, Improved, Machine, Preparing, Proving
from slidewise.solver.result import Proof, Result
from slidewise.solver.run import result_of
from slidewise.solver.task import Limits
from slidewise.text import long_time

SECONDS_PER_HOUR = 3600

LINE_SECONDS = 60.0
"""Interval between progress lines; more would flood the log of a proof of hours."""


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "prove",
        help="find a shortest solution and prove it, however long it takes",
        description="Find a shortest solution and prove it: boards of up to 16 cells in seconds, "
        "24-puzzles in seconds to days. The pattern databases that this needs are built first. "
        "With --state the search can be stopped at any time, even by a crash or a power failure, "
        "and goes on from where it was when the command is given again.",
    )
    add_puzzle(parser, "+")
    parser.add_argument(
        "--state",
        metavar="DIR",
        type=Path,
        help="a folder for the checkpoint, written every 20 s; a proof that was begun there goes "
        "on",
    )
    parser.add_argument(
        "--hours",
        metavar="H",
        type=decimal,
        help="stop after this many hours (Ctrl-C and SIGTERM also stop)",
    )
    parser.add_argument(
        "--cores", metavar="N", type=whole_number, default=1, help="use N cores (default: 1)"
    )
    add_cluster(parser)
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Path,
        help="write what was proved into FILE, for `python -m slidewise.verify FILE` to check",
    )
    parser.add_argument(
        "--json", action="store_true", help="the events of the search, one JSON object per line"
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    seconds = None if args.hours is None else args.hours * SECONDS_PER_HOUR
    limits = Limits(seconds=seconds, cores=args.cores)
    if args.certificate:
        _check_writable(args.certificate)
    puzzle = read_puzzle(board_text(args), args)
    with cluster_client(args, shared=True) as client, interrupts() as interrupted:
        events = prove(
            puzzle, limits, state=args.state, cancelled=interrupted.is_set, client=client
        )
        result = result_of(events, print_event) if args.json else _print_text(events)
    if args.certificate and result.length is not None:
        with writing(args.certificate):
            write_certificate(args.certificate, result)
    elif args.certificate:
        print(
            f"slidewise: there is nothing to certify: {args.certificate} is not written",
            file=sys.stderr,
        )
    if result.verdict.kind is Proof.OPTIMAL:
        return SOLVED
    if args.state and not args.json and _can_go_on(args.state):
        print(f"The same command goes on from the checkpoint in {args.state}.")
    # A path alone is no success here, so code 0 is left for a proof.
    return exit_code(result) or NOT_SOLVED


def _can_go_on(state: Path) -> bool:
    """Return whether a checkpoint exists. Unsolvable puzzles and full disks have none."""
    from slidewise.research.proof import FILE_NAME

    return (state / FILE_NAME).exists()


def _check_writable(file: Path) -> None:
    """Raise `UsageError` for an unwritable certificate before hours of proving."""
    try:
        # Opening in mode "a" leaves an existing certificate unchanged; a new file is removed again.
        if file.exists():
            file.open("a").close()
        else:
            file.open("x").close()
            file.unlink()
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}; name another file") from None


def _print_text(events: Iterator[Event]) -> Result:
    result = _print_progress(events)
    print_result(result)
    return result


def _print_progress(events: Iterator[Event]) -> Result:
    """Return the result, after progress lines."""
    with Bar(None) as bar:
        printed_at = monotonic()
        for event in events:
            if isinstance(event, Finished):
                return event.result
            if isinstance(event, Preparing):
                bar.show(event)
            elif isinstance(event, Proving):
                bar.say(words(event))
                if monotonic() - printed_at >= LINE_SECONDS:
                    printed_at = monotonic()
                    bar.print(words(event))
            elif isinstance(event, Improved):
                bar.print(bracket(event))
            elif isinstance(event, Machine):
                bar.print(event.words)
    raise AssertionError("every search ends with Finished")


def bracket(event: Improved) -> str:
    """Return the known bounds of the shortest solution's length.

    >>> bracket(Improved(95, 91)), bracket(Improved(93, 93))
    ('shortest solution: 91 to 95 moves', 'shortest solution: 93 moves')
    """
    between = "" if event.length == event.lower_bound else f"{event.lower_bound:,} to "
    return f"shortest solution: {between}{event.length:,} moves"


def words(event: Proving) -> str:
    """Describe the progress of a proof.

    >>> words(Proving(4_000_000, 0, 0, 0, 0, 80, 2.0, 90, 84, 2_000_000, 8_000_000, 7_200_000_000))
    'f-limit 84: expanded 4,000,000, 2,000,000/s; about 4 s left in this iteration, 60 min in all'
    """
    left = event.seconds_left
    text = f"f-limit {event.limit}: expanded {event.expanded:,}, {event.per_second:,}/s"
    if left is None:
        return text
    return f"{text}; about {long_time(left[0])} left in this iteration, {long_time(left[1])} in all"
