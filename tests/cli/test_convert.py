"""`slidewise convert` and `slidewise solve --format`, run in this process."""

import json

from slidewise import parse_board, parse_puzzle, read_replays, write_board
from slidewise.puzzle.writing import DOMAIN, NOTATIONS, problem
from tests.each import each

CODE = "8.1.3-4.0.2-7.6.5"


def test_board_is_shown_in_all_notations(cli):
    done = cli("convert", CODE)
    assert (done.code, done.err) == (0, "")
    for key in NOTATIONS:
        assert write_board(parse_board(CODE), key) in done.out


def test_puzzle_is_written_as_pddl(cli):
    puzzle = parse_puzzle(f"{CODE}_0.1.2-3.4.5-6.7.8")
    assert cli("convert", CODE, "--goal", "first", "--to", "pddl-problem").out == problem(puzzle)
    assert cli("convert", CODE, "--to", "pddl-domain").out == DOMAIN
    assert cli("convert", CODE, "--goal", "first", "--to", "code").out == f"{puzzle}\n"


def test_json_has_all_notations(cli):
    codes = json.loads(cli("convert", "1.0.3-4.2.5", "--json").out)
    assert codes["puzzle"] == codes["code"] == "1.0.3-4.2.5"
    assert "princeton" not in codes, "it has squares only"
    assert codes["java"] == "int[][] tiles = {{1, 0, 3}, {4, 2, 5}};"


@each("words", [("convert", CODE, "--to", "perl"), ("convert", "1.0.3-4.2.5", "--to", "42")])
def test_unknown_notation_is_refused(cli, words):
    done = cli(*words)
    assert (done.code, done.out) == (2, "")
    assert "choose from code, rows" in done.err


def test_file_is_read_from_stdin(cli):
    done = cli("convert", "-", "--to", "csv", stdin="# a file\n3\n8 1 3\n4 0 2 # blank\n7 6 5\n")
    assert done.out == "8,1,3,4,0,2,7,6,5\n"


def test_solve_format_matches_course_output(cli):
    done = cli("solve", "0 1 3 4 2 5 7 8 6", "--format", "princeton")
    assert done.code == 0
    assert done.out.startswith("Minimum number of moves = 4\n3\n 0  1  3 \n")
    done = cli("solve", "1,2,5,3,4,0,6,7,8", "--goal", "first", "--format", "columbia")
    assert "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\n" in done.out
    assert "max_ram_usage: " in done.out
    done = cli("solve", "2.1.3-4.5.6-7.8.0", "--format", "princeton")
    assert (done.code, done.out) == (1, "Unsolvable puzzle\n")


def test_format_is_refused_with_a_file(cli, tmp_path):
    done = cli("solve", "--file", str(tmp_path), "--format", "42")
    assert (done.code, done.out) == (2, "")
    assert "--format is for one BOARD" in done.err


def test_scramble_of_cstimer_is_converted(cli):
    for text in ("D2 R U", "blank: U2 L D", "￬2 ￫ ￪"):
        done = cli("convert", "--scramble", text, "--to", "code")
        assert (done.code, done.out) == (0, "1.5.2-4.0.3-7.8.6\n")
    done = cli("convert", "--scramble", "D R", "--size", "4x4", "--to", "slidysim")
    assert done.out == "1 2 3 4/5 6 7 8/9 10 0 11/13 14 15 12\n"
    assert cli("convert", "--scramble", "U").code == 2


def test_results_for_slidysim_and_cstimer(cli):
    address = cli("solve", "1.2.3-4.0.6-7.5.8", "--format", "slidysim").out.strip()
    assert cli("convert", address, "--to", "code").out == "1.2.3-4.0.6-7.5.8\n"
    assert read_replays(address)[0].moves == "UL"
    assert cli("solve", "1.2.3-4.0.6-7.5.8", "--format", "cstimer").out == "R D\n"
    refused = cli("solve", "1.0.2-3.4.5-6.7.8", "--goal", "first", "--format", "slidysim")
    assert (refused.code, "blank last" in refused.err) == (2, True)
