"""Reading boards in the ways in which people, programs and courses write them.

`plain` reads rows, lists and drawn boards strictly; `liberal` takes what files, programs and
players put around them; `address` takes the puzzle out of a link. `slidewise.puzzle.notation` is
the face of it.
"""
