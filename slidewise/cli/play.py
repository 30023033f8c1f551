"""`slidewise play`: the game in the terminal."""

import re
import time
from argparse import Namespace
from secrets import token_hex

from slidewise.cli.arguments import (
    Commands,
    UsageError,
    add_puzzle,
    add_search,
    board_text,
    cannot_read,
    read_goal,
    read_puzzle,
    search_options,
)
from slidewise.cli.terminal import (
    NOT_SOLVED,
    SOLVED,
    explain_unsolvable,
    interrupts,
    print_result,
    run_with_progress,
)
from slidewise.puzzle import Game, IllegalMoveError, Puzzle, PuzzleError, SizeNeededError, scramble
from slidewise.solver.run import SearchSpec
from slidewise.text import plural

ASK_START = "Start board (for example 1 2 3 4 5 6 7 8 0), or Enter for a new one: "
ASK_SIZE = "Its size, rows x columns (for example 2x3): "
ASK_TILE = "Tile to move (u undo, r redo, q give up and see the solution): "


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "play",
        help="play in the terminal",
        description="Play in the terminal: type the number of a tile to move it. A tile in the "
        "row or column of the blank also moves all the tiles between them.",
    )
    add_puzzle(parser, "*")
    add_search(parser)
    parser.set_defaults(run=play)


def play(args: Namespace) -> int:
    options = search_options(args)
    if args.goal == "-":
        raise UsageError("standard input is for the moves of the game: write the goal out")
    game = _begin(args)
    while game and not game.solved:
        print(f"\n{game.board.boxed(moved=game.last_step.tile if game.last_step else None)}")
        word = _ask(ASK_TILE)
        if word is None:
            print(f"Stopped after {plural(game.move_count, 'move')}.")
            return NOT_SOLVED
        if word.lower() == "q":
            print("\nThe solution from here:")
            puzzle = game.puzzle.starting_at(game.board)
            with interrupts() as interrupted:
                print_result(run_with_progress(SearchSpec(puzzle, **options), interrupted))
            return NOT_SOLVED
        game = _turn(game, word)
    return _end(game) if game else NOT_SOLVED


def _begin(args: Namespace) -> Game | None:
    """Return the new game, None if the player leaves before it."""
    puzzle = read_puzzle(board_text(args), args) if _has_board(args) else _ask_puzzle(args)
    if puzzle is None:
        return None
    print(f"Puzzle {puzzle}")
    if puzzle.solvable:
        print(f"The goal:\n{puzzle.goal.boxed()}")
    else:
        print("\n".join(explain_unsolvable(puzzle)))
        print("You can still move the tiles.")
    return Game.new(puzzle)


def _has_board(args: Namespace) -> bool:
    """Return whether the board is an argument; with `-` it is the first line of the input."""
    return bool(args.board) and args.board != ["-"]


def _ask_puzzle(args: Namespace) -> Puzzle | None:
    goal = read_goal(args)  # reports wrong options before any prompt
    while (text := _ask(ASK_START)) not in (None, "q", "Q"):
        try:
            return _puzzle(text, args) if text else scramble(*goal.size, token_hex(8), goal)
        except PuzzleError as error:
            print(f"{_sentence(error)} Try again.")
    return None


def _puzzle(text: str, args: Namespace) -> Puzzle:
    try:
        return read_puzzle(text, args)
    except SizeNeededError:
        # A flat list of cells does not state its size.
        return read_puzzle(text, Namespace(**{**vars(args), "size": _ask(ASK_SIZE)}))


def _turn(game: Game, word: str) -> Game:
    """Return the game after the player's input, unchanged if the input is invalid."""
    now = int(time.time())
    try:
        if word.lower() == "u":
            game = game.undo(now)
        elif word.lower() == "r":
            game = game.redo(now)
        elif re.fullmatch("[0-9]{1,3}", word):
            game = game.slide(int(word), now)
        else:
            found = repr(word[:40]) if word else "nothing"
            print(f"Type the number of one tile, or u, r or q (found {found}).")
            return game
    except IllegalMoveError as error:
        print(f"Not possible: {error}.")
        return game
    print(f"{plural(game.move_count, 'move')} so far")
    return game


def _end(game: Game) -> int:
    if not game.started:
        print("It is already solved.")
        return SOLVED
    print(f"\n{game.board.boxed()}")
    print(f"You did it, in {plural(game.move_count, 'move')}!")
    return SOLVED


def _ask(prompt: str) -> str | None:
    """Return the input line, None at the end of the input and at Ctrl-C."""
    try:
        return input(prompt).strip()
    except OSError as error:
        raise UsageError(cannot_read("standard input", error)) from None
    except (EOFError, KeyboardInterrupt):
        print()
        return None


def _sentence(error: PuzzleError) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."
