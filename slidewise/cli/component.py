"""`slidewise component`: the script of the web component `<slide-wise>`."""

from argparse import Namespace

from slidewise.cli.arguments import Commands
from slidewise.component import component


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "component",
        help="print the script of the web component",
        description="Print the script of the web component <slide-wise>, which shows boards in "
        "other pages: slidewise component > slide-wise.js",
    )
    parser.set_defaults(run=run)


def run(_args: Namespace) -> int:
    print(component(), end="")
    return 0
