from math import isqrt


def rows_out(board, goal):
    """Return the number of tiles outside their row of the goal."""
    width = isqrt(len(board))
    tiles = [tile for tile in board if tile]
    return sum(board.index(tile) // width != goal.index(tile) // width for tile in tiles)
