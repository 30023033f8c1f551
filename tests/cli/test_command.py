"""The command line: refusals of each command, and the commands that neither solve nor play."""

import io
import json

from slidewise import Board, __version__, algorithms, cli, heuristics, parse_puzzle, scramble
from tests.boards import SIX_MOVES, TEXTBOOK, TWENTY_MOVES
from tests.cli.commands import Run
from tests.each import each


@each(
    ("argv", "message"),
    [
        (["solve", "foo"], "found 'foo'"),
        (["solve", "1 0 3 4 2 5"], "use --size"),
        (["solve", TWENTY_MOVES, "--goal", "1.0.3-4.2.5"], "expected 3 rows of 3"),
        (["solve", TEXTBOOK, "--goal", "last"], "found two goals"),
        (["solve", TWENTY_MOVES, "--algorithm", "x"], f"algorithms are {', '.join(algorithms())}"),
        (["solve", TWENTY_MOVES, "--heuristic", "x"], f"heuristics are {', '.join(heuristics())}"),
        (["solve", TWENTY_MOVES, "--seconds", "٣"], "a number such as 1.5, found '٣'"),
        (["solve", TWENTY_MOVES, "--seconds", "1_0"], "a number such as 1.5, found '1_0'"),
        (["solve", TWENTY_MOVES, "--seconds", "nan"], "seconds must be above 0"),
        (["solve", TWENTY_MOVES, "--json", "--events"], "not allowed with"),
        (["solve", TWENTY_MOVES, "--goal", "0", "1", "2"], "put quotes around a board"),
        (["solve", "-"], "found no cells"),
        (["solve", "-", "--goal", "-"], "only one board"),
        (["play", "--goal", "-"], "write the goal"),
        (["play", "--algorithm", "x"], "there is no algorithm"),
        (["play", "nonsense"], "expected a tile's number"),
        (["new", "--size", "3"], "a size such as 3x3"),
        (["new", "--seed", "x" * 65], "at most 64 characters"),
        (["new", "--moves", "32"], "no 3 × 3 puzzle needs more than 31 moves"),
        (["new", "--moves", "x"], "moves must be a number such as 20"),
        (["solve"], "required: BOARD, or --file FILE"),
        (["solve", TWENTY_MOVES, "--file", "x"], "give a BOARD or --file FILE, not both"),
        (["solve", "--file", "x", "--events"], "--events is for one BOARD"),
        (["solve", "--file", "x", "--size", "3x3"], "leave out --size"),
        (["solve", "--file", "x", "--goal", "-"], "write the goal"),
        (["solve", "--file", "/nowhere"], "cannot read /nowhere: No such file"),
        (["solve", "--file", ""], "cannot read ''"),
        (["solve", "--file", "/"], "cannot read /: Is a directory"),
        (["solve", "--file", "x", "--algorithm", "y"], "no algorithm 'y'"),
        (["compare"], "required: BOARD"),
        (["compare", SIX_MOVES, "--algorithms", "x"], ", ".join(algorithms())),
        (["compare", SIX_MOVES, "--algorithms", "astar:x"], ", ".join(heuristics())),
        (["compare", SIX_MOVES, "--algorithms", "bfs:manhattan"], "bfs takes no heuristic: write"),
        (["compare", SIX_MOVES, "--algorithms", "astar,dfs:"], "dfs takes no heuristic"),
        (["compare", SIX_MOVES, "--algorithms", ""], "name the algorithms to compare"),
        (["compare", SIX_MOVES, "--seconds", "0"], "seconds must be above 0"),
        (["compare", SIX_MOVES, "--json", "--csv"], "not allowed with"),
        (["facts", "4x4"], "up to 10 cells, such as 3x3 and 2x5"),
        (["facts", "3x3", "2x2"], "slidewise"),
        (["tables"], "tables needs an action: list, build or clear"),
        (["tables", "build", "9-9", "--size", "2x4"], "no pattern database '9-9'"),
        (["tables", "burn"], "tables --help lists the options"),
        (["foo"], "slidewise --help"),
        (["--foo", "new"], "slidewise --help"),
    ],
)
def test_bad_input_is_reported_on_stderr(cli, argv, message):
    done = cli(*argv)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("slidewise: error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_undecodable_input_is_reported(cli, monkeypatch):
    class Latin(io.StringIO):
        def read(self, size: int | None = -1, /) -> str:
            return b"\xff".decode()

    monkeypatch.setattr(io, "StringIO", lambda text: Latin(text))
    done = cli("solve", "-")
    assert (done.code, done.out) == (2, "")
    assert "UTF-8" in done.err


def test_help_is_shown_without_a_command(cli):
    done = cli()
    assert (done.code, done.out) == (2, "")
    assert "slidewise [-h]" in done.err


def test_version(cli):
    assert cli("--version") == Run(0, f"slidewise {__version__}\n", "")


def test_help_lists_the_registry(cli):
    for command in "solve", "play":
        text = " ".join(cli(command, "--help").out.split())
        for option, known in ("algorithm", algorithms()), ("heuristic", heuristics()):
            assert f"--{option} KEY {', '.join(known)}" in text
    text = " ".join(cli("compare", "--help").out.split())
    assert f"Algorithms: {', '.join(algorithms())}. Heuristics: {', '.join(heuristics())}" in text


def test_algorithms_lists_the_registry(cli):
    tables = json.loads(cli("algorithms", "--json").out)
    assert list(tables) == ["algorithms", "heuristics"]
    for known, rows in zip((algorithms(), heuristics()), tables.values(), strict=True):
        assert [row["key"] for row in rows] == list(known)
        for row in rows:
            assert row == {name: getattr(known[row["key"]], name) for name in row}
    out = cli("algorithms").out
    keys = [line.split()[1] for line in out.splitlines() if line.startswith("| ")]
    assert set(algorithms()) | set(heuristics()) <= set(keys)


def test_new_draws_the_puzzle_of_a_seed(cli):
    assert cli("new", "--size", "3x3", "--seed", "7") == Run(0, f"{scramble(3, 3, '7')}\n", "")
    assert cli("new", "--seed", "-7").out == f"{scramble(3, 3, '-7')}\n"
    goal = Board(2, 3, (0, 1, 2, 3, 4, 5))
    drawn = f"{scramble(2, 3, 'a', goal)}\n"
    assert cli("new", "--size", "2x3", "--seed", "a", "--goal", "first").out == drawn
    assert cli("new", "--size", "2x3", "--seed", "a", "--goal", "0 1 2 3 4 5").out == drawn
    spiral = cli("new", "--size", "2x3", "--seed", "a", "--goal", "spiral").out
    assert parse_puzzle(spiral.strip()).goal_name == "spiral"
    assert cli("new", "--seed", "a", "--goal", str(goal)).out == drawn


def test_new_draws_a_puzzle_of_an_exact_difficulty(cli):
    drawn = cli("new", "--size", "3x3", "--moves", "20", "--seed", "7")
    assert drawn == Run(0, "1.2.4-8.0.6-5.3.7\n", "")
    drawn = cli("new", "--size", "2x3", "--goal", "first", "--moves", "21", "--seed", "7").out
    assert drawn == "3.4.5-0.1.2_0.1.2-3.4.5\n"


def test_new_prints_its_random_seed(cli):
    done = cli("new", "--size", "4x4")
    seed = done.err.removeprefix("seed: ").strip()
    assert cli("new", "--size", "4x4", "--seed", seed) == Run(0, done.out, "")


def test_solve_reads_the_output_of_new(cli):
    code = cli("new", "--size", "2x3", "--goal", "first", "--seed", "1").out
    assert cli("solve", "-", stdin=code).out.startswith(f"Puzzle {code}")


def test_a_name_imports_the_module_of_its_subcommand():
    for module, names in cli.MODULES.items():
        for name in names:
            (found,) = cli._commands([name])
            assert found.__name__ == f"slidewise.cli.{module}"
            parser = cli._parser([found])
            (choices,) = [one.choices for one in parser._actions if one.choices]
            assert tuple(choices) == names
