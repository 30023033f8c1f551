"""`slidewise atlas`: answers of searches, correct and wrong, for all 3x3 boards."""

import json
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from slidewise.cli.arguments import Commands, UsageError, cannot_read
from slidewise.cli.terminal import ProgressLine
from slidewise.course.atlas import COMPUTING, AtlasSummary, as_text, atlas, variants
from slidewise.puzzle.board import quoted
from slidewise.solver import cache_dirs
from slidewise.text import text_table


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "atlas",
        help="show how often each convention, and each classic mistake, misses the shortest path",
        description="Show what A* and greedy best-first search find for all 181,440 solvable 3x3 "
        "boards under each convention and with classic mistakes, and the other searches for 2,000 "
        "of them. The figures come with the package; --compute works them out again, which takes "
        f"{COMPUTING} for all of them.",
    )
    parser.add_argument(
        "keys", metavar="KEY", nargs="*", help="such as astar/columbia (default: all)"
    )
    parser.add_argument("--compute", action="store_true", help="work the figures out again")
    parser.add_argument("--json", action="store_true", help="a JSON object on each line")
    parser.add_argument(
        "--write", metavar="FILE", help="with --compute: also write the figures to this file"
    )
    parser.set_defaults(run=show)


def show(args: Namespace) -> int:
    """Run the command and return the exit code."""
    for key in args.keys:
        if key not in variants():
            raise UsageError(
                f"there is no {quoted(key)} in the atlas; it has {', '.join(variants())}"
            )
    if args.write and not args.compute:
        raise UsageError("--write needs --compute")
    keys = args.keys or list(variants())
    if args.compute:
        summaries = {one.key: one for one in _computed(keys, args.write)}
    else:
        summaries = {key: one for key, one in atlas().items() if key in keys}
    if args.json:
        print("\n".join(json.dumps(asdict(one)) for one in summaries.values()))
    else:
        print(_table(summaries.values()))
    return 0


def _computed(keys: list[str], file: str | None) -> Iterable[AtlasSummary]:
    """Yield each summary once computed; `file` is rewritten with all of them after each."""
    from slidewise.course.atlas_run import AllBoards, summarise  # imported here, as it loads numpy

    summaries = dict(atlas())
    everything = AllBoards()
    alike: dict[object, AtlasSummary] = {}
    for key in keys:
        variant = variants()[key]
        if variant.rules not in alike:
            with ProgressLine(f"{key}: ") as line:
                alike[variant.rules] = summarise(
                    everything, variant, lambda done, of: line.say(f"{done:,} of {of:,} boards")
                )
        found = summaries[key] = replace(alike[variant.rules], key=key)
        if file:
            try:
                cache_dirs.write_whole(Path(file), as_text(summaries).encode())
            except OSError as error:
                raise UsageError(cannot_read(file, error).replace("read", "write")) from None
        yield found


def _table(summaries: Iterable[AtlasSummary]) -> str:
    rows = [
        [
            one.key,
            f"{one.boards:,}",
            f"{100 * one.longer / one.boards:.2f} %",
            f"{one.unsolved:,}",
            f"{one.worst:,}",
            f"{one.expanded:,.0f}",
            f"{one.example} {one.found} instead of {one.shortest}" if one.example else "",
        ]
        for one in summaries
    ]
    titles = [
        "search",
        "boards",
        "not shortest",
        "unsolved",
        "worst",
        "expanded",
        "nearest example",
    ]
    return text_table(titles, rows, frozenset(range(1, 6)))
