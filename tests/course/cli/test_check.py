"""`slidewise check`, run in this process."""

import csv
import io
import json

import pytest

from slidewise import parse_puzzle, search
from slidewise.solver.events import Expanded

BOARD = "4.1.3-7.2.5-0.8.6"


def expansions(convention: str) -> str:
    events = search(parse_puzzle(BOARD), "bfs", None, trace=1000, convention=convention)
    return "".join(f"{event.board}\n" for event in events if isinstance(event, Expanded))


def test_correct_work_exits_with_0(cli, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text(expansions("slidewise"))
    done = cli("check", BOARD, str(file), "--algorithm", "bfs")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Everything is right.\n")


@pytest.mark.parametrize("convention", ["princeton", "42", "slidewise,counts=taken"])
def test_program_that_counts_a_solved_start_is_right(cli, convention):
    solved = ["1.2.3-4.5.6-7.8.0", "-", "--algorithm", "astar", "--convention", convention]
    assert cli("check", *solved, stdin="nodes_expanded: 1\n").code == 0


def test_first_difference_is_shown_with_its_explanation(cli):
    done = cli("check", BOARD, "-", "--algorithm", "bfs", stdin=expansions("slidewise,order=durl"))
    assert (done.code, done.err) == (0, "")
    for line in (
        "Right, in another way.",
        "First difference at expansion 9.",
        "Yours (line 9): 4.1.3-2.8.5-7.0.6",
        "Expected: 4.0.3-2.1.5-7.8.6",
        "Expansion 9: two successors of expansion 5, swapped.",
    ):
        assert f"{line}\n" in done.out
    assert "All 53 fit blank down, up, right, left. " in done.out
    assert "“up, down, left, right” applied to the tile instead of the blank." in done.out


def test_explaining_convention_can_be_chosen(cli):
    text = expansions("slidewise,order=durl")
    report = json.loads(cli("check", BOARD, "-", "--algorithm", "bfs", "--json", stdin=text).out)
    convention = report["explanation"]["convention"]
    for name, code in (("slidewise", 1), (convention, 0)):
        rules = *("--convention", name), "--strict"
        assert cli("check", BOARD, "-", "--algorithm", "bfs", *rules, stdin=text).code == code


def test_unreadable_work_exits_with_2_and_names_the_line(cli):
    done = cli("check", BOARD, "-", "--algorithm", "bfs", stdin="\nhello\n")
    assert (done.code, done.out) == (2, "")
    assert "line 2: " in done.err


def test_unnamed_search_is_refused(cli):
    done = cli("check", BOARD, "-", stdin="UL")
    assert done.code == 2
    assert "--algorithm bfs" in done.err


def test_folder_is_checked_in_one_run(cli, tmp_path):
    for name, text in (
        ("ada.txt", expansions("slidewise")),
        ("ben.txt", expansions("slidewise,order=durl")),
        ("cy.txt", "hello\n"),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "dan.bin").write_bytes(b"\xff\xfe\xff")
    done = cli("check", BOARD, str(tmp_path), "--algorithm", "bfs", "--csv")
    assert done.code == 2
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["file"], row["right"]) for row in rows] == [
        *(("ada.txt", "yes"), ("ben.txt", "yes"), ("cy.txt", ""), ("dan.bin", ""))
    ]
    assert rows[1]["first difference"] == "First difference at expansion 9"
    assert rows[1]["explanation"] == "All 53 fit blank down, up, right, left"
    assert rows[2]["error"].startswith("line 1: ")
    assert rows[3]["error"] == "the file is not text"


def test_gradescope_file_is_written(cli, tmp_path):
    results = tmp_path / "results.json"
    for text, score in (
        (expansions("slidewise"), 100),
        (f"{expansions('slidewise,order=durl')}\npath: R\n", 33),
        ("path: R\nnodes_expanded: 56", 33),
        ("path: UUUU\nnodes_expanded: 3", 0),
    ):
        cli(*("check", BOARD, "-", "--algorithm", "bfs", "--gradescope", str(results)), stdin=text)
        report = json.loads(results.read_text())
        assert report["score"] == score
        assert report["output_format"] == "text"
    assert "Step 3 of your path is not a legal move." in report["output"]
    cli(*("check", BOARD, "-", "--algorithm", "bfs", "--gradescope", str(results)), stdin="hello\n")
    assert json.loads(results.read_text())["output"].startswith(
        "Your output cannot be read: line 1"
    )


def test_weight_is_only_for_weighted_a_star(cli):
    counts = "nodes_expanded: 6\n"
    done = cli("check", BOARD, "-", "--algorithm", "wastar", "--weight", "2", stdin=counts)
    assert (done.code, done.err) == (0, "")
    done = cli("check", BOARD, "-", "--algorithm", "bfs", "--weight", "2", stdin=counts)
    assert done.code == 2
    assert "weight" in done.err
    done = cli("check", BOARD, "-", "--algorithm", "wastar", "--weight", "200", stdin=counts)
    assert done.code == 2
    assert "from 1 to 100" in done.err


def test_algorithm_without_expansions_has_only_its_path_checked(cli):
    done = cli("check", BOARD, "-", "--algorithm", "best", stdin="expanded: 5")
    assert (done.code, "reports no expansions" in done.err) == (2, True)


@pytest.mark.parametrize("file", ["gone.txt", "mine.bin"])
def test_gradescope_file_is_written_without_readable_output(cli, tmp_path, file):
    (tmp_path / "mine.bin").write_bytes(b"\xff\xfe\xff")
    results, work = tmp_path / "results.json", str(tmp_path / file)
    done = cli("check", BOARD, work, "--algorithm", "bfs", "--gradescope", str(results))
    assert done.code == 2
    assert json.loads(results.read_text())["score"] == 0


def test_unsolvable_board_is_checked(cli):
    board = ("check", "2.1.3-4.5.6-7.8.0", "-", "--algorithm", "bfs")
    assert cli(*board, stdin="not solvable").out.startswith("Right: there is no path")
    assert cli(*board, stdin="UL").code == 1
