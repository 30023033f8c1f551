"""`slidewise grade`: judges the functions that students wrote.

The judge is imported when the command runs, because no other command needs it.
"""

from argparse import Namespace

from slidewise.cli.arguments import Commands, whole_number
from slidewise.cli.translation import LANGUAGES

KINDS = ("tuple", "list", "rows", "tuples", "string", "array")
"""Forms of boards, by their names on the command line."""

DEFAULT_SECONDS, DEFAULT_MEGABYTES = 20, 1024


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "grade",
        help="judge the search functions that students wrote",
        description="Find the functions of the exercises in programs and notebooks, run each in a "
        "process of its own and report which properties it has: a legal path, the shortest, "
        "nothing expanded twice. A mistake is named, with the smallest board that shows it. This "
        "runs other people's programs, limited in time and memory. Most Linux systems keep them "
        "apart; elsewhere they can change your files and use the network.",
        epilog="Exit codes: 0 all points, 1 points are missing, 2 a file cannot be read or has no "
        "function of an exercise.",
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="a .py, an .ipynb, a text with code blocks, or a folder or zip, whose .py and .ipynb "
        "files are graded one by one; a zip of submissions from Moodle or Canvas too",
    )
    parser.add_argument(
        "--exercise",
        metavar="KEY",
        help="only this exercise, or a folder or file with an exercise of your own (default: the "
        "one in the file's first comment, or all)",
    )
    parser.add_argument(
        "--pack",
        metavar="FILE",
        help="write the exercise of the folder as a file for /learn/write (- for stdout)",
    )
    parser.add_argument(
        "--function",
        metavar="NAME",
        default="",
        help="the function to judge, or Class.method (with --exercise)",
    )
    parser.add_argument(
        "--board",
        metavar="FORM",
        choices=KINDS,
        help=f"how it represents boards: {', '.join(KINDS)}",
    )
    parser.add_argument("--goal", metavar="BOARD", help="its goal, such as '1 2 3/4 5 6/7 8 0'")
    parser.add_argument(
        "--seed",
        metavar="N",
        type=whole_number,
        help="draws the boards (default: the seed in the file's first comment, or 1)",
    )
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=whole_number,
        default=DEFAULT_SECONDS,
        help="for each function, by the clock and of CPU time (default: %(default)s)",
    )
    parser.add_argument(
        "--memory",
        metavar="MB",
        type=whole_number,
        default=DEFAULT_MEGABYTES,
        help="for each function (default: %(default)s)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="the order of the expansions counts too"
    )
    parser.add_argument(
        "--unseen",
        choices=("scale", "zero"),
        default="scale",
        help="a check that no run could show is left out of the points (scale), or gets 0 points",
    )
    parser.add_argument("--no-hints", action="store_true", help="print no hints")
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default=LANGUAGES[0],
        help="of the reports: English, German or Spanish (default: %(default)s)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object per file, on one line")
    form.add_argument("--csv", action="store_true", help="CSV: a header, then a line per function")
    parser.add_argument(
        "--gradescope",
        metavar="FILE",
        help="also write Gradescope's results.json (for one submission only)",
    )
    parser.add_argument(
        "--gradebook",
        metavar="FILE",
        help="also fill in the CSV file of Moodle's grading worksheet or Canvas's gradebook: "
        "grades.csv is not changed, grades-filled.csv has the grades",
    )
    parser.add_argument(
        "--column", metavar="TITLE", help="its column for the grades, if it has several"
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    from slidewise.course.cli.grading import grade

    return grade(args)
