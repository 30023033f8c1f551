"""`slidewise atlas`: answers of searches, correct and wrong, for 3x3 boards drawn from a seed."""

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from slidewise.cli.arguments import Commands, UsageError, whole_number, writing
from slidewise.cli.terminal import ProgressLine
from slidewise.course.atlas import BOARDS, COMPUTING, AtlasSummary, as_text, atlas, variants
from slidewise.puzzle.board import quoted
from slidewise.solver import cache_dirs
from slidewise.text import text_table


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "atlas",
        help="show how often each convention, and each classic mistake, misses the shortest path",
        description="Show what searches find under each convention and with classic mistakes, for "
        f"{BOARDS:,} boards of 3x3 drawn from a seed, fewer if a search is long. The figures come "
        f"with the package; --compute works them out again, which takes {COMPUTING} for all of "
        "them on two cores.",
    )
    parser.add_argument(
        "keys", metavar="KEY", nargs="*", help="such as astar/columbia (default: all)"
    )
    parser.add_argument("--compute", action="store_true", help="work the figures out again")
    parser.add_argument(
        "--cores",
        metavar="N",
        type=whole_number,
        default=1,
        help="with --compute, search N boards at a time (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object on each line")
    parser.add_argument(
        "--write", metavar="FILE", help="with --compute: also write the figures to this file"
    )
    parser.set_defaults(run=show)


def show(args: Namespace) -> int:
    for key in args.keys:
        if key not in variants():
            raise UsageError(
                f"there is no {quoted(key)} in the atlas; it has {', '.join(variants())}"
            )
    if args.write and not args.compute:
        raise UsageError("--write needs --compute")
    keys = args.keys or list(variants())
    if args.compute:
        summaries = {one.key: one for one in _computed(keys, args.cores, args.write)}
    else:
        summaries = {key: one for key, one in atlas().items() if key in keys}
    if args.json:
        print("\n".join(json.dumps(asdict(one)) for one in summaries.values()))
    else:
        print(_table(summaries.values()))
    return 0


def _computed(keys: list[str], cores: int, file: str | None) -> Iterator[AtlasSummary]:
    """Yield each summary when computed; `file` is rewritten with all summaries after each."""
    from slidewise.course.atlas_run import summarise  # imported here, as it loads numpy

    # Entries that are not computed keep their shipped summaries in the file.
    summaries = dict(atlas())
    with ProgressLine() as line:
        for found in summarise(
            keys, cores, lambda key, done, of: line.say(f"{key}: {done:,} of {of:,} boards")
        ):
            summaries[found.key] = found
            if file:
                with writing(file):
                    cache_dirs.write_whole(Path(file), as_text(summaries).encode())
            yield found


def _table(summaries: Iterable[AtlasSummary]) -> str:
    rows = [
        [
            one.key,
            f"{one.boards:,}",
            _share(one.longer, one.longer_error, one),
            _share(one.given_up, one.given_up_error, one),
            f"{one.worst:,}",
            f"{one.expanded:,.0f} ± {one.expanded_error:,.0f}",
            f"{one.example} {one.found} instead of {one.shortest}" if one.example else "",
        ]
        for one in summaries
    ]
    titles = [
        "search",
        "boards",
        "not shortest",
        "given up",
        "worst",
        "expanded",
        "nearest example",
    ]
    return text_table(titles, rows, frozenset(range(1, 6)))


def _share(count: int, error: float | None, summary: AtlasSummary) -> str:
    """Return a share with its standard error, or with its bound if the boards do not differ."""
    if error is not None:
        return f"{100 * count / summary.boards:.1f} ± {error:.1f} %"
    return f"over {100 - summary.unseen:.1f} %" if count else f"below {summary.unseen:.2f} %"
