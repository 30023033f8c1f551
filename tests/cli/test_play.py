import io

import pytest

from slidewise import parse_board, parse_puzzle
from slidewise.cli import main

NEAR = "1.2.3-4.5.6-0.7.8"


@pytest.fixture
def typed(capsys, monkeypatch):
    """Return a function that plays with typed lines. It returns the exit code and the output."""

    def run(lines: list[str], *argv: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(["play", *argv])
        out, err = capsys.readouterr()
        assert err == ""
        return code, out

    return run


def test_game_ends_at_the_goal(typed):
    code, out = typed(["7", "8"], NEAR)
    assert code == 0
    assert "1 move so far" in out
    assert parse_board("1.2.3-4.5.6-7.0.8").boxed(moved=7) in out
    assert out.endswith(f"{parse_board('1.2.3-4.5.6-7.8.0').boxed()}\nYou did it, in 2 moves!\n")


def test_start_is_prompted_for(typed):
    code, out = typed(["1 2 3 4 5 6 0 7 8", "8"])
    assert out.startswith("Start board (for example 1 2 3 4 5 6 7 8 0), or Enter for a new one: ")
    assert code == 0


def test_unreadable_start_is_prompted_for_again(typed):
    code, out = typed(["1 2 x y", "-", "-1 8", "1 2 3 4 5 6 0 7 8", "8"])
    assert out.count("Try again.") == 3
    assert out.count("Start board") == 4
    assert code == 0


def test_size_of_a_flat_list_is_prompted_for(typed):
    flat = "1 0 3 4 2 5"
    code, out = typed([flat, "seven", flat, "2x3", "2", "5"])
    assert out.count("Its size") == 2
    assert "Puzzle 1.0.3-4.2.5" in out
    assert code == 0


def test_minus_takes_the_first_line_as_the_start(typed):
    assert typed([NEAR, "8"], "-")[0] == 0


@pytest.mark.parametrize(
    ("argv", "size", "goal"),
    [
        ([], (3, 3), "blank last"),
        (["--size", "2x4"], (2, 4), "blank last"),
        (["--goal", "first"], (3, 3), "blank first"),
        (["--goal", "0.1.2-3.4.5"], (2, 3), "blank first"),
        (["--size", "2x2", "--goal", "0 1 3 2"], (2, 2), "custom"),
    ],
)
def test_enter_draws_a_new_puzzle(typed, argv, size, goal):
    code, out = typed([""], *argv)
    puzzle = parse_puzzle(out.partition("Puzzle ")[2].split()[0])
    assert (puzzle.start.size, puzzle.goal_name, puzzle.solvable) == (size, goal, True)
    assert code == 1


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("5", "Not possible: tile 5 is not in "),
        ("9", "Not possible: there is no tile 9"),
        ("0", "Not possible: there is no tile 0"),
        ("u", "Not possible: there is no move to undo"),
        ("r", "Not possible: there is no move to redo"),
        ("seven", "found 'seven'"),
        ("7 8", "found '7 8'"),
        ("-7", "found '-7'"),
        ("\N{FULLWIDTH DIGIT SEVEN}", "found '\N{FULLWIDTH DIGIT SEVEN}'"),
        ("7" * 5000, "found '" + "7" * 40 + "'"),
        ("", "found nothing"),
    ],
)
def test_impossible_move_shows_its_error_and_prompts_again(typed, word, answer):
    code, out = typed([word, "8"], NEAR)
    assert answer in out
    assert "so far" not in out.partition(answer)[0]
    assert "You did it, in 2 moves!" in out
    assert code == 0


def test_undo_and_redo_show_the_board(typed):
    _, out = typed(["8", "U"], "1.2.3-4.5.0-7.8.6", "--goal", "1.2.3-4.5.6-7.8.0")
    assert "Not possible: tile 8" in out
    code, out = typed(["7", "u", "r", "8"], NEAR)
    counts = [line[-15:] for line in out.splitlines() if line.endswith("so far")]
    assert [count.split()[-4] for count in counts] == ["1", "0", "1", "2"]
    assert code == 0


def test_q_shows_the_solution_from_here(typed):
    code, out = typed(["7", "Q"], NEAR)
    solution = out.partition("The solution from here:\n")[2]
    assert code == 1
    assert solution.startswith("Puzzle 1.2.3-4.5.6-7.0.8\n")
    assert "Step 1: tile 8 moves left; the blank moves right" in solution
    assert "solved in 1 move." in solution
    assert "Expanded " in solution


def test_q_uses_the_chosen_algorithm_and_heuristic(typed):
    out = typed(["q"], NEAR, "--algorithm", "bfs")[1]
    assert "Breadth-first search: solved in 2 moves." in out
    assert "with Misplaced tiles: solved" in typed(["q"], NEAR, "--heuristic", "misplaced")[1]


def test_leaving_exits_with_1(typed):
    code, out = typed(["7"], NEAR)
    assert code == 1
    assert out.endswith("\nStopped after 1 move.\n")
    assert typed(["q"])[0] == typed([])[0] == 1


def test_ctrl_c_at_the_prompt_leaves(typed, monkeypatch):
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    code, out = typed([], NEAR)
    assert code == 1
    assert out.endswith("\nStopped after 0 moves.\n")


def test_start_equal_to_the_goal_is_solved(typed):
    code, out = typed([], "1 2 3 4 5 6 7 8 0")
    assert code == 0
    assert "already solved" in out


def test_unsolvable_start_is_explained_and_playable(typed):
    unsolvable = "1.2.3-8.0.4-7.6.5"
    code, out = typed(["8", "q"], unsolvable)
    puzzle = parse_puzzle(unsolvable)
    assert puzzle.parity.explain() in out
    assert str(puzzle.solvable_alternatives().swapped) in out
    assert str(puzzle.solvable_alternatives().other_goal) in out
    assert "You can still move the tiles." in out
    assert "1 move so far" in out
    assert code == 1


def test_goal_of_a_code_is_shown(typed):
    out = typed([], "1.0.2-3.4.5-6.7.8_0.1.2-3.4.5-6.7.8")[1]
    assert f"The goal:\n{parse_board('0.1.2-3.4.5-6.7.8').boxed()}\n" in out
