"""Stars: how close a solution comes to the shortest one."""

MOST_STARS = 3
"""The stars of a shortest solution."""


def stars(moves: int, shortest: int) -> int:
    """Return the stars of a solution of so many moves, `shortest` being the length of a shortest
    one: 3 for a shortest, 2 up to a quarter more, 1 for any other.

    >>> [stars(moves, 24) for moves in (24, 26, 30, 31)]
    [3, 2, 2, 1]
    """
    if moves <= shortest:
        return MOST_STARS
    return 2 if 4 * moves <= 5 * shortest else 1
