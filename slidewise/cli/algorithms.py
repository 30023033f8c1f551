"""`slidewise algorithms`: the available algorithms and heuristics, with their facts."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from slidewise.cli.arguments import Commands
from slidewise.solver.registry import algorithms as all_algorithms
from slidewise.solver.registry import heuristics as all_heuristics
from slidewise.solver.task import ALGORITHM_FACTS, HEURISTIC_FACTS, facts_of

if TYPE_CHECKING:
    from rich.table import Table

LONG_FACTS = ("title", "idea", "time", "space", "source")

PIPE_WIDTH = 120
"""Width of the tables without a terminal, in characters."""


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "algorithms",
        help="list the algorithms and heuristics",
        description="List the algorithms and heuristics that solve can use.",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    tables = {
        "algorithms": [facts_of(entry, ALGORITHM_FACTS) for entry in all_algorithms().values()],
        "heuristics": [facts_of(entry, HEURISTIC_FACTS) for entry in all_heuristics().values()],
    }
    if args.json:
        print(json.dumps(tables))
    else:
        _print_tables(tables)
    return 0


def _print_tables(tables: dict[str, list[dict[str, object]]]) -> None:
    from rich.console import Console  # imported here, for the sake of the other commands' start

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    for row in tables["algorithms"]:
        # Shown in the column `optimal` to save width.
        most = row.pop("optimal_to")
        if most and not row["optimal"]:
            row["optimal"] = f"to {most} cells"
    console = Console(width=width, highlight=False, markup=False)
    for title, rows in tables.items():
        print(title.capitalize())
        console.print(_table(rows))


def _table(rows: list[dict[str, object]]) -> Table:
    """Return a table with the long, textual facts in a single column."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.ASCII2, show_lines=True)
    short = [name for name in rows[0] if name not in LONG_FACTS]
    for name in short:
        table.add_column(name.replace("_", " "), no_wrap=name == "key", vertical="top")
    table.add_column("what it is", overflow="fold")
    for row in rows:
        table.add_row(*(_word(row[name]) for name in short), _long(row))
    return table


def _long(row: dict[str, object]) -> str:
    """Return an algorithm's title, idea, source and costs."""
    lines = [str(row["title"]), str(row["idea"])]
    lines += [f"{name.capitalize()}: {row[name]}" for name in LONG_FACTS[2:] if name in row]
    return "\n".join(lines)


def _word(fact: object) -> str:
    return {True: "yes", False: "no"}[fact] if isinstance(fact, bool) else str(fact)
