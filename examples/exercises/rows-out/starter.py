def rows_out(board, goal):
    """Return the number of tiles outside their row of the goal."""
    return 0
